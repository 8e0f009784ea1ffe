import UpdateModel

/// The update paths between the releases of a family, which follow from the requirements of each release.
struct ReleasePaths {
    private struct Release {
        let order: OrderedVersion
        /// The lowest version that it may replace, with its text; nil for any.
        let needs: (order: OrderedVersion, text: String)?
        let firmware: CatalogueFirmware
    }

    private let family: CatalogueFamily
    private let audience: ReleaseAudience
    private let releases: [Release]
    private let byOrder: [OrderedVersion: [CatalogueFirmware]]
    private let lowest: OrderedVersion?

    private init(_ family: CatalogueFamily, for audience: ReleaseAudience) {
        (self.family, self.audience) = (family, audience)
        let scheme = family.scheme
        releases = audience.releases.compactMap { firmware in
            let limits = [firmware.minimumInstalled, firmware.through].compactMap(\.self)
                .compactMap { text in scheme.version(text).map { (order: $0, text: text) } }
            return scheme.version(firmware.version).map {
                Release(order: $0, needs: limits.max { $0.order < $1.order }, firmware: firmware)
            }
        }
        byOrder = Dictionary(grouping: releases, by: \.order).mapValues { $0.map(\.firmware) }
        lowest = byOrder.keys.min()
    }

    /// The errors in the paths of `family`, one per release, in the file's order.
    static func findings(in family: CatalogueFamily) -> [CatalogueFinding] {
        var found: [CataloguePlace: CatalogueFinding] = [:]
        for audience in ReleaseAudience.all(of: family) {
            for finding in ReleasePaths(family, for: audience).findings where found[finding.place] == nil {
                found[finding.place] = finding
            }
        }
        return family.firmware.compactMap { found[$0.place] }
    }

    private var findings: [CatalogueFinding] {
        let highest = highestBelow
        return releases.filter { $0.firmware.withdrawn == nil }.compactMap { release in
            cycle(from: release) ?? missingStep(of: release.firmware)
                ?? unreachable(release, highest: highest[release.order])
        }
    }

    private func cycle(from release: Release) -> CatalogueFinding? {
        var steps = [release.firmware.version]
        var next = release.firmware.through
        while let step = next, steps.count <= releases.count, let here = family.scheme.version(step) {
            steps.append(step)
            if here == release.order {
                let words = "requires itself first: \(steps.joined(separator: ", then "))"
                return finding(.catalogue.pathCycle, release.firmware, words)
            }
            next = byOrder[here]?.lazy.compactMap(\.through).first
        }
        return nil
    }

    private func missingStep(of firmware: CatalogueFirmware) -> CatalogueFinding? {
        guard let through = firmware.through, let needed = family.scheme.version(through) else { return nil }
        let steps = byOrder[needed] ?? []
        guard !steps.isEmpty else {
            let isThere = family.firmware.contains { family.scheme.version($0.version) == needed }
            let words = "goes through \(through), which \(isThere ? "is not" : "the catalogue does not have")"
            return finding(.catalogue.unreachable, firmware, words)
        }
        let usable = steps.filter { $0.withdrawn == nil }
        guard !usable.isEmpty else {
            let why = steps.first?.withdrawn ?? ""
            return finding(
                .catalogue.withdrawnUsed, firmware, "goes through \(through), which was withdrawn: \(why)")
        }
        return nil
    }

    /// The finding if no version can be updated to `release`, or if no path leads to it from the lowest release of the
    /// catalogue. If a path leads to it from the lowest one, paths lead to it from all lower ones: a release that may
    /// replace a version may also replace a higher one.
    private func unreachable(_ release: Release, highest: OrderedVersion?) -> CatalogueFinding? {
        guard let needs = release.needs else { return nil }
        guard needs.order < release.order else {
            let words = "can only be installed over \(needs.text) and later, which is not below it"
            return finding(.catalogue.unreachable, release.firmware, words)
        }
        guard let highest, highest < needs.order, let lowest, let first = byOrder[lowest]?.first
        else { return nil }
        return finding(
            .catalogue.unreachable, release.firmware,
            "updates \(needs.text) and later, but no update path from \(first.version) reaches that")
    }

    /// For each version, the highest lower version that a device with the lowest one reaches, step by step. Each step
    /// goes to the next higher version of which a release can be installed.
    private var highestBelow: [OrderedVersion: OrderedVersion] {
        var highest: [OrderedVersion: OrderedVersion] = [:]
        guard var here = lowest else { return [:] }
        let steps = Dictionary(grouping: releases, by: \.order).sorted { $0.key < $1.key }
        for (order, releases) in steps {
            highest[order] = here
            let isReached = releases.contains { release in
                release.firmware.withdrawn == nil
                    && (release.needs.map { [here] in $0.order <= here } ?? true)
            }
            if isReached { here = order }
        }
        return highest
    }

    private func finding(_ code: FailureCode, _ firmware: CatalogueFirmware, _ words: String)
        -> CatalogueFinding
    {
        CatalogueFinding(
            code, at: firmware.place, "\(family.name) \(firmware.version) \(words)\(audience.words)")
    }
}

/// Devices of a family that get the same releases.
struct ReleaseAudience {
    let releases: [CatalogueFirmware]
    /// The end of a sentence about a release that names the audience; empty for all devices.
    let words: String

    /// The audiences that the releases of `family` distinguish: by channel, and by hardware or model, separately.
    static func all(of family: CatalogueFamily) -> [ReleaseAudience] {
        var channels = [(family.firmware, "")]
        let released = family.firmware.filter { $0.channel == .release }
        if released.count < family.firmware.count {
            channels.append((released, " for users without beta releases"))
        }
        return channels.flatMap { firmware, words in
            let audiences =
                split(firmware, by: \.hardware, "hardware") + split(firmware, by: \.models, "the model")
            return audiences.map { ReleaseAudience(releases: $0.releases, words: $0.words + words) }
        }
    }

    /// The releases for each word in the lists at `key`; releases with an empty list are for all.
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
