import UpdateModel

extension Catalogue {
    /// The release for `device` from `channels`, and the reason against every other of its family. Downgrades
    /// are never chosen. `minimumBattery` applies if the family has no limit of its own.
    public func match(
        _ device: CatalogueDevice, channels: Set<CatalogueChannel> = [.release], minimumBattery: Int = 20
    ) -> CatalogueMatch {
        var sure: [(facts: Int, model: CatalogueModel)] = []
        var possible: [(missing: [String], facts: Int)] = []
        for model in models {
            switch model.answer(of: device) {
            case .yes(let facts): sure.append((facts, model))
            case .undecided(let missing, let facts): possible.append((missing, facts))
            case .no: break
            }
        }
        let most = sure.map(\.facts).max()
        let families = sure.filter { $0.facts == most }.map(\.model)
        guard !device.isBootloader else { return CatalogueMatch(.bootloader, families.first) }
        // An undecided family with as many or more facts could still win.
        if let open = possible.first(where: { $0.facts >= most ?? 0 }) {
            return CatalogueMatch(.unknown(missing: open.missing))
        }
        guard let family = families.first else { return CatalogueMatch(unlisted(device)) }
        guard families.count == 1 else {
            return CatalogueMatch(.ambiguous(families.map { "\($0.name) (\($0.device.kind))" }))
        }
        let match = ReleaseChoice(family, for: device, channels: channels, minimumBattery: minimumBattery)
            .match
        guard let way = family.vendorWay, match.outcome != .upToDate else { return match }
        var only = CatalogueMatch(.vendorOnly(way), family, match.rejections)
        (only.fromVendor, only.warnings) = (match.release, match.warnings)
        return only
    }

    /// The outcome for a device that no family matches.
    private func unlisted(_ device: CatalogueDevice) -> CatalogueMatch.Outcome {
        let relatives = models.filter { $0.recognition.isRelated(to: device) }.map(\.name).unique
        guard relatives.isEmpty else { return .wrongModel(relatives) }
        let mayBeListed =
            device.model == nil && device.tellsModelInSession
            && models.contains { $0.recognition.model != nil && $0.versionSource == .session }
        let isNamed = device.model != nil || device.number != nil || device.maker != nil
        return isNamed && !mayBeListed ? .notListed : .unknown(missing: ["model"])
    }
}

extension CatalogueModel {
    /// Whether `device` belongs to this family. A device that takes another kind of firmware does not.
    fileprivate func answer(of device: CatalogueDevice) -> Recognition.Answer {
        if let kind = device.kind, device.kind != self.device.kind, self.device.kind != .vendorOnly,
            kind != .vendorOnly
        {
            return .no
        }
        return recognition.answer(of: device)
    }
}
