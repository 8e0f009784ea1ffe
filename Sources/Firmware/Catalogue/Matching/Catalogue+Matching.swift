import UpdateModel

extension Catalogue {
    /// The release for `device` from `channels`, and the reason against each other release of its family. A release that
    /// is lower than the installed version is chosen only if the user has named it.
    package func match(
        _ device: CatalogueDevice, channels: Set<CatalogueChannel> = [.release], naming named: String? = nil
    ) -> CatalogueMatch {
        var sure: [(facts: Int, family: CatalogueFamily)] = []
        var possible: [(missing: [String], facts: Int)] = []
        for family in families {
            switch family.answer(of: device) {
            case .yes(let facts): sure.append((facts, family))
            case .undecided(let missing, let facts): possible.append((missing, facts))
            case .no: break
            }
        }
        let most = sure.map(\.facts).max()
        let best = sure.filter { $0.facts == most }.map(\.family)
        guard !device.isBootloader else { return CatalogueMatch(.bootloader, best.first) }
        // An undecided family with as many or more facts could still win.
        if let open = possible.first(where: { $0.facts >= most ?? 0 }) {
            return CatalogueMatch(.unknown(missing: open.missing))
        }
        guard let family = best.first else { return CatalogueMatch(unlisted(device)) }
        guard best.count == 1 else {
            return CatalogueMatch(.ambiguous(best.map { "\($0.name) (\($0.device.kind))" }))
        }
        let match = ReleaseChoice(family, for: device, channels: channels, naming: named).match
        guard let way = family.vendorWay, match.outcome != .upToDate else { return match }
        var only = CatalogueMatch(.vendorOnly(way), family, match.rejections)
        (only.vendorRelease, only.warnings) = (match.release, match.warnings)
        return only
    }

    private func unlisted(_ device: CatalogueDevice) -> CatalogueMatch.Outcome {
        let relatives = families.filter { $0.criteria.isRelated(to: device) }.map(\.name).unique
        guard relatives.isEmpty else { return .wrongModel(relatives) }
        let mayBeListed =
            device.model == nil && device.reportsModelInSession
            && families.contains { $0.criteria.model != nil && $0.versionSource == .session }
        let isNamed = device.model != nil || device.number != nil || device.maker != nil
        return isNamed && !mayBeListed ? .notListed : .unknown(missing: ["model"])
    }
}

extension CatalogueFamily {
    /// Whether `device` belongs to this family. A device that takes another kind of firmware does not.
    fileprivate func answer(of device: CatalogueDevice) -> FamilyCriteria.Answer {
        if let kind = device.kind, device.kind != self.device.kind, self.device.kind != .vendorOnly,
            kind != .vendorOnly
        {
            return .no
        }
        return criteria.answer(of: device)
    }
}
