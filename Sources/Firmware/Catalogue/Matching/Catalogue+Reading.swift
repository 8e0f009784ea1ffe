import UpdateModel

extension Catalogue {
    /// `device` with what was read over a connection to it, and the contradictions to its advertisements.
    /// Contradicted facts count as unknown.
    ///
    /// The advertised name stays, whatever the connection reports: families are recognised by it. Of two
    /// charges the lower one counts.
    public func complete(
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
                    code: "identity-contradicted",
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
    /// Everything that is missing must come from a source that was not `asked` yet. The vendor's session, which
    /// provides `told` (`model`, `name`, `hardware`, `version`; empty if there is none), comes before the
    /// services: one query over it returns all of that.
    public func nextReading(
        inSession told: Set<String>, asked: Set<DeviceReading.Source> = []
    ) -> DeviceReading.Source? {
        guard case .unknown(let missing) = outcome else { return nil }
        let sources = missing.map { fact in
            self.sources(of: fact, told).subtracting(asked)
        }
        guard sources.allSatisfy({ !$0.isEmpty }) else { return nil }
        return sources.contains { $0.contains(.session) } ? .session : .services
    }

    /// The sources that provide `fact`.
    private func sources(of fact: String, _ told: Set<String>) -> Set<DeviceReading.Source> {
        let session: Set<DeviceReading.Source> = told.contains(fact) ? [.session] : []
        switch (fact, model?.versionSource) {
        case ("model", _), ("name", _), ("hardware", _), ("version", nil): return session.union([.services])
        case ("version", .session): return session
        case ("version", .firmwareRevision), ("version", .softwareRevision): return [.services]
        default: return []
        }
    }
}
