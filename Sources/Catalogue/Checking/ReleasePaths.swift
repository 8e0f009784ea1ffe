import FirmwareModel

/// The ways from one release of a family to another, by what each asks for.
struct ReleasePaths {
    private struct Release {
        let order: OrderedVersion
        /// The lowest version over which it may be installed; nil for any.
        let needs: OrderedVersion?
        let firmware: CatalogueFirmware
    }

    private let model: CatalogueModel
    private let releases: [Release]
    /// Those that may be installed, by what they need, those that need least first.
    private let byNeeds: [Release]
    private let byOrder: [OrderedVersion: [CatalogueFirmware]]

    init(_ model: CatalogueModel) {
        self.model = model
        let scheme = model.scheme
        releases = model.firmware.compactMap { firmware in
            let limits = [firmware.minimumInstalled, firmware.through].compactMap {
                $0.flatMap(scheme.version)
            }
            return scheme.version(firmware.version).map {
                Release(order: $0, needs: limits.max(), firmware: firmware)
            }
        }
        byNeeds = releases.filter { $0.firmware.withdrawn == nil }
            .sorted { one, other in other.needs.map { needs in one.needs.map { $0 < needs } ?? true } ?? false
            }
        byOrder = Dictionary(grouping: releases, by: \.order).mapValues { $0.map(\.firmware) }
    }

    /// What is wrong with them, in the file's order.
    var flaws: [CatalogueFlaw] {
        let lowest = releases.min { $0.order < $1.order }
        return releases.filter { $0.firmware.withdrawn == nil }.compactMap { release in
            cycle(from: release) ?? missingStep(of: release.firmware) ?? unreachable(release, from: lowest)
        }
    }

    /// Steps that lead back to the release itself.
    private func cycle(from release: Release) -> CatalogueFlaw? {
        var steps = [release.firmware.version]
        var next = release.firmware.through
        while let step = next, steps.count <= releases.count, let here = model.scheme.version(step) {
            steps.append(step)
            if here == release.order {
                let words = "needs itself first: \(steps.joined(separator: ", then "))"
                return flaw("catalogue-path-cycle", release.firmware, words)
            }
            next = byOrder[here]?.lazy.compactMap(\.through).first
        }
        return nil
    }

    private func missingStep(of firmware: CatalogueFirmware) -> CatalogueFlaw? {
        guard let through = firmware.through, let needed = model.scheme.version(through) else { return nil }
        let steps = byOrder[needed] ?? []
        guard !steps.isEmpty else {
            let words = "goes through \(through), which the catalogue does not have"
            return flaw("catalogue-unreachable", firmware, words)
        }
        let usable = steps.filter { $0.withdrawn == nil }
        guard !usable.isEmpty else {
            let why = steps.first?.withdrawn ?? ""
            return flaw(
                "catalogue-withdrawn-used", firmware, "goes through \(through), which was withdrawn: \(why)")
        }
        guard firmware.channel == .release, usable.allSatisfy({ $0.channel != .release }) else { return nil }
        return flaw(
            "catalogue-unreachable", firmware, "goes through \(through), which is in the channel beta only")
    }

    /// A release that nothing can be updated to, or that the lowest release of the catalogue never gets to. Where the
    /// lowest one gets, every other one gets too: whatever may be installed over a version, may be over a higher one.
    private func unreachable(_ release: Release, from lowest: Release?) -> CatalogueFlaw? {
        guard let needs = release.needs, let lowest else { return nil }
        let limits = [release.firmware.minimumInstalled, release.firmware.through].compactMap(\.self)
        let limit = limits.first { model.scheme.version($0) == needs } ?? ""
        guard needs < release.order else {
            let words = "is installed over \(limit) and later only, which is not below it"
            return flaw("catalogue-unreachable", release.firmware, words)
        }
        guard lowest.order < needs, !leads(from: lowest.order, to: needs, below: release.order) else {
            return nil
        }
        return flaw(
            "catalogue-unreachable", release.firmware,
            "updates \(limit) and later, and nothing leads there from \(lowest.firmware.version)")
    }

    /// Whether a device with `start` gets to `goal` or above it, step by step.
    private func leads(
        from start: OrderedVersion, to goal: OrderedVersion, below end: OrderedVersion
    ) -> Bool {
        var (here, best) = (start, start)
        var open = byNeeds[...]
        while here < goal {
            while let next = open.first, next.needs.map({ $0 <= here }) ?? true {
                if next.order < end { best = max(best, next.order) }
                open.removeFirst()
            }
            guard best > here else { return false }
            here = best
        }
        return true
    }

    private func flaw(_ code: String, _ firmware: CatalogueFirmware, _ words: String) -> CatalogueFlaw {
        CatalogueFlaw(code, at: firmware.place, "\(model.name) \(firmware.version) \(words)")
    }
}
