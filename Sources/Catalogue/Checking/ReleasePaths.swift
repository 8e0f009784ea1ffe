import FirmwareModel

/// The ways from one release of a family to another, by what each asks for.
struct ReleasePaths {
    private let model: CatalogueModel
    private let releases: [(order: OrderedVersion, firmware: CatalogueFirmware)]

    init(_ model: CatalogueModel) {
        self.model = model
        releases = model.firmware.compactMap { firmware in
            model.scheme.version(firmware.version).map { ($0, firmware) }
        }
    }

    /// What is wrong with them, in the file's order.
    var flaws: [CatalogueFlaw] { releases.compactMap { flaw(of: $0.firmware, $0.order) } }

    private func flaw(of firmware: CatalogueFirmware, _ own: OrderedVersion) -> CatalogueFlaw? {
        guard firmware.withdrawn == nil else { return nil }
        return cycle(from: firmware) ?? missingStep(of: firmware) ?? unreachable(firmware, own)
    }

    /// Steps that lead back to the release itself.
    private func cycle(from firmware: CatalogueFirmware) -> CatalogueFlaw? {
        guard let start = order(firmware.version) else { return nil }
        var steps = [firmware.version]
        var next = firmware.through
        while let step = next, steps.count <= releases.count {
            steps.append(step)
            guard let order = order(step) else { return nil }
            if order == start {
                return flaw(
                    "catalogue-path-cycle", firmware,
                    "needs itself first: \(steps.joined(separator: ", then "))")
            }
            next = releases.first { $0.order == order && $0.firmware.through != nil }?.firmware.through
        }
        return nil
    }

    private func missingStep(of firmware: CatalogueFirmware) -> CatalogueFlaw? {
        guard let through = firmware.through, let needed = order(through) else { return nil }
        let steps = releases.filter { $0.order == needed }.map(\.firmware)
        if let why = steps.first?.withdrawn, steps.allSatisfy({ $0.withdrawn != nil }) {
            return flaw(
                "catalogue-withdrawn-used", firmware, "goes through \(through), which was withdrawn: \(why)")
        }
        if steps.isEmpty {
            return flaw(
                "catalogue-unreachable", firmware,
                "goes through \(through), which the catalogue does not have")
        }
        if firmware.channel == .release, steps.allSatisfy({ $0.withdrawn != nil || $0.channel != .release }) {
            return flaw(
                "catalogue-unreachable", firmware,
                "goes through \(through), which is in the channel beta only")
        }
        return nil
    }

    /// A release that nothing can be updated to, or that an earlier release of the catalogue never gets to.
    private func unreachable(_ firmware: CatalogueFirmware, _ own: OrderedVersion) -> CatalogueFlaw? {
        let limits = [firmware.minimumInstalled, firmware.through].compactMap(\.self)
        for limit in limits where order(limit).map({ $0 >= own }) ?? false {
            return flaw(
                "catalogue-unreachable", firmware,
                "is installed over \(limit) and later only, which is not below it")
        }
        guard let limit = firmware.minimumInstalled, let lowest = order(limit) else { return nil }
        let earlier = releases.filter { $0.order < lowest }
        guard let stuck = earlier.first(where: { !leads(from: $0.order, to: lowest, below: own) }) else {
            return nil
        }
        return flaw(
            "catalogue-unreachable", firmware,
            "updates \(limit) and later, and nothing leads there from \(stuck.firmware.version)")
    }

    /// Whether a device with `start` gets to `lowest` or above it, step by step.
    private func leads(from start: OrderedVersion, to lowest: OrderedVersion, below end: OrderedVersion)
        -> Bool
    {
        var here = start
        while here < lowest {
            let next = releases.filter { candidate in
                candidate.firmware.withdrawn == nil && candidate.order > here && candidate.order < end
                    && [candidate.firmware.minimumInstalled, candidate.firmware.through].allSatisfy { limit in
                        limit.flatMap(order).map { $0 <= here } ?? true
                    }
            }
            .map(\.order).max()
            guard let next else { return false }
            here = next
        }
        return true
    }

    private func order(_ version: String) -> OrderedVersion? { model.scheme.version(version) }

    private func flaw(_ code: String, _ firmware: CatalogueFirmware, _ words: String) -> CatalogueFlaw {
        CatalogueFlaw(code, at: firmware.place, "\(model.name) \(firmware.version) \(words)")
    }
}
