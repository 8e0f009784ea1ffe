/// Devices of a family that get the same releases.
struct ReleaseAudience {
    /// The releases, in the file's order.
    let releases: [CatalogueFirmware]
    /// The audience, to follow a sentence; empty for all devices.
    let words: String

    /// The audiences that the releases of `model` distinguish: by channel, and by hardware or model, separately.
    static func all(of model: CatalogueModel) -> [ReleaseAudience] {
        var channels = [(model.firmware, "")]
        let released = model.firmware.filter { $0.channel == .release }
        if released.count < model.firmware.count {
            channels.append((released, " for users without beta releases"))
        }
        return channels.flatMap { firmware, words in
            let audiences =
                split(firmware, by: \.hardware, "hardware") + split(firmware, by: \.models, "the model")
            return audiences.map { ReleaseAudience(releases: $0.releases, words: $0.words + words) }
        }
    }

    /// The releases for each word in the lists at `key`; those with an empty list are for all.
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
        // Words in the same lists form one audience.
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
