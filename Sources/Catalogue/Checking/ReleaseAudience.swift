/// Devices of a family for which the same releases are, and who asks for them.
struct ReleaseAudience {
    /// The releases, in the file's order.
    let releases: [CatalogueFirmware]
    /// Who it is, after a sentence; empty where it is everybody.
    let words: String

    /// Those that the releases of `model` tell apart: by channel, and by hardware or model, each by itself.
    static func all(of model: CatalogueModel) -> [ReleaseAudience] {
        var channels = [(model.firmware, "")]
        let released = model.firmware.filter { $0.channel == .release }
        if released.count < model.firmware.count {
            channels.append((released, " for those who take no beta releases"))
        }
        return channels.flatMap { firmware, words in
            let audiences =
                split(firmware, by: \.hardware, "hardware") + split(firmware, by: \.models, "the model")
            return audiences.map { ReleaseAudience(releases: $0.releases, words: $0.words + words) }
        }
    }

    /// The releases for each of the words in the lists at `key`; those whose list is empty are for all.
    private static func split(
        _ firmware: [CatalogueFirmware], by key: KeyPath<CatalogueFirmware, [String]>, _ what: String
    ) -> [ReleaseAudience] {
        var places: [String: [Int]] = [:]
        for (place, release) in firmware.enumerated() {
            for word in Set(release[keyPath: key].map { $0.lowercased() }) {
                places[word, default: []].append(place)
            }
        }
        guard !places.isEmpty else { return [ReleaseAudience(releases: firmware, words: "")] }
        // Words that stand in the same lists are one audience.
        let groups = Dictionary(grouping: places.keys) { places[$0] ?? [] }
        let named = groups.map { own, words in (own: Set(own), word: words.min() ?? "") }
        return named.sorted { $0.word < $1.word }.map { own, word in
            let releases = firmware.enumerated().filter { place, release in
                own.contains(place) || release[keyPath: key].isEmpty
            }
            return ReleaseAudience(releases: releases.map(\.element), words: " for \(what) \(word)")
        }
    }
}
