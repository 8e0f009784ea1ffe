package import UpdateModel

extension Catalogue {
    /// The release for `device` from `channels`, and the reason against every other of its family. Downgrades
    /// are never chosen, unless the user has named the release. `minimumBattery` applies if the family has no limit of
    /// its own.
    package func match(
        _ device: CatalogueDevice, channels: Set<CatalogueChannel> = [.release], naming named: String? = nil,
        minimumBattery: Int = 20
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
        let match = ReleaseChoice(
            family, for: device, channels: channels, naming: named, minimumBattery: minimumBattery
        ).match
        guard let way = family.vendorWay, match.outcome != .upToDate else { return match }
        var only = CatalogueMatch(.vendorOnly(way), family, match.rejections)
        (only.fromVendor, only.warnings) = (match.release, match.warnings)
        return only
    }

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

extension Catalogue {
    /// `device` with what was read over a connection to it, and the contradictions to its advertisements.
    /// Contradicted facts count as unknown.
    ///
    /// The advertised name stays, whatever the connection reports: families are recognised by it. Of two
    /// charges the lower one counts.
    package func complete(
        _ device: CatalogueDevice, with reading: DeviceReading
    ) -> (device: CatalogueDevice, warnings: [CatalogueMatch.Warning]) {
        var device = device
        var warnings: [CatalogueMatch.Warning] = []
        func settle(
            _ fact: WritableKeyPath<CatalogueDevice, String?>, _ read: String?, _ what: String,
            isSame: (String, String) -> Bool
        ) {
            guard let read else { return }
            guard let heard = device[keyPath: fact] else { return device[keyPath: fact] = read }
            guard !isSame(heard, read) else { return }
            device[keyPath: fact] = nil
            warnings.append(
                .init(
                    code: .catalogue.identityContradicted,
                    words: "it advertises the \(what) \(heard), but reports \(read) over a connection"))
        }
        device.name = device.name ?? reading.name
        device.battery =
            [device.battery, reading.battery, reading.session?.battery].compactMap(\.self).min()
        settle(\.model, reading.session?.model ?? reading.model, "model") {
            $0.lowercased() == $1.lowercased()
        }
        settle(
            \.hardware, reading.session?.hardware ?? reading.hardware, "hardware version",
            isSame: ReleaseChoice.isSameHardware)
        let family = match(device).model
        if let family {
            // A text that is not a version does not contradict one that is.
            let version = reading.version(in: family.versionSource).flatMap { read in
                device.version == nil || family.scheme.version(read) != nil ? read : nil
            }
            // If the family reports its version elsewhere, the advertised one is another number.
            if version != nil, device.versionSource == .advertising, let shown = family.versionSource,
                shown != .advertising
            {
                device.version = nil
            }
            settle(\.version, version, "version") { heard, read in
                family.scheme.version(heard).map { $0 == family.scheme.version(read) } ?? (heard == read)
            }
        }
        if reading.version(in: family?.versionSource) != nil { device.versionSource = nil }
        return (device, warnings)
    }
}

extension CatalogueMatch {
    /// Which source to read next; nil if the decision is made, or lacks something that cannot be read.
    ///
    /// Every missing fact needs a source that was not `asked` yet; otherwise the result is nil. `sessionFacts` are those
    /// of the vendor's session (`model`, `name`, `hardware`, `version`; empty if there is none). The session is read
    /// before the services, because one query returns all of these facts.
    package func nextReading(
        inSession sessionFacts: Set<String>, asked: Set<DeviceReading.Source> = []
    ) -> DeviceReading.Source? {
        guard case .unknown(let missing) = outcome else { return nil }
        let sources = missing.map { fact in
            self.sources(of: fact, sessionFacts).subtracting(asked)
        }
        guard sources.allSatisfy({ !$0.isEmpty }) else { return nil }
        return sources.contains { $0.contains(.session) } ? .session : .services
    }

    private func sources(of fact: String, _ sessionFacts: Set<String>) -> Set<DeviceReading.Source> {
        let session: Set<DeviceReading.Source> = sessionFacts.contains(fact) ? [.session] : []
        switch (fact, model?.versionSource) {
        case ("model", _), ("name", _), ("hardware", _), ("version", nil): return session.union([.services])
        case ("version", .session): return session
        case ("version", .firmwareRevision), ("version", .softwareRevision): return [.services]
        default: return []
        }
    }
}

/// What is known of a beacon that needs firmware; nil for what was not heard.
package struct CatalogueDevice: Hashable, Sendable {
    package var maker: String?
    package var family: String?
    /// Whether it may turn out to belong to another family: identifying frames may not have been heard yet.
    package var familyMayChange = false
    package var model: String?
    /// Whether it reports its model in its vendor's session: until then, a family that is recognised by the
    /// model may match.
    package var tellsModelInSession = false
    /// The number of its model, as in its frames.
    package var number: Int?
    /// The maker's id, which is unique among units of its model.
    package var id: String?
    package var name: String?
    package var hardware: String?
    package var version: String?
    /// Where it reports the version; nil if the user gave it, or it was read where the family reports it.
    package var versionSource: VersionSource?
    /// Its charge in percent.
    package var battery: Int?
    package var millivolts: Int?
    /// The kind of firmware that it accepts, according to its own report.
    package var kind: FirmwareKind?
    /// Whether its bootloader runs, which reports nothing about the application.
    package var isBootloader = false

    package init() {}
}
