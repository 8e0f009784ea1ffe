import UpdateModel

/// What a beacon reports about itself over a short connection: in Generic Access, Device Information and
/// Battery Service, and in its vendor's session. Nil for what it does not report, or was not asked.
package struct DeviceReading: Hashable, Sendable {
    /// A source for facts that a beacon does not advertise.
    package enum Source: Hashable, Sendable {
        /// Generic Access, Device Information and Battery Service.
        case services
        case session
    }

    package struct Session: Hashable, Sendable {
        package var model: String?
        package var hardware: String?
        package var version: String?
        /// The charge in percent.
        package var battery: Int?

        package init() {}
    }

    /// Device Name (2A00).
    package var name: String?
    /// Model Number String (2A24).
    package var model: String?
    /// Serial Number String (2A25).
    package var serial: String?
    /// Hardware Revision String (2A27).
    package var hardware: String?
    /// Firmware Revision String (2A26).
    package var firmware: String?
    /// Software Revision String (2A28).
    package var software: String?
    /// Battery Level (2A19), in percent.
    package var battery: Int?
    /// The facts from the vendor's session; nil if there was none.
    package var session: Session?

    package init() {}

    /// The installed version for a family that reports it in `source`. With nil, for a family without `version_from`,
    /// the session's version counts or, without one, that of the revisions, unless these contradict each other.
    func version(in source: VersionSource?) -> String? {
        switch source {
        case .advertising: nil
        case .session: session?.version
        case .firmwareRevision: firmware
        case .softwareRevision: softwareVersion
        case nil: session?.version ?? revision
        }
    }

    private var revision: String? {
        softwareVersion == nil || softwareVersion == firmware
            ? firmware : firmware == nil ? softwareVersion : nil
    }

    /// The version in the software revision: the whole text, or in a list with commas the only entry with a
    /// point (Feasycom).
    private var softwareVersion: String? {
        guard let software, software.contains(",") else { return software }
        let versions = software.split(separator: ",").filter { $0.contains(".") }
        return versions.count == 1 ? versions.first.map(String.init) : nil
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
        func merge(
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
        merge(\.model, reading.session?.model ?? reading.model, "model") {
            $0.lowercased() == $1.lowercased()
        }
        merge(
            \.hardware, reading.session?.hardware ?? reading.hardware, "hardware version",
            isSame: ReleaseChoice.isSameHardware)
        let family = match(device).family
        if let family {
            // A text that is not a version does not contradict one that is.
            let version = reading.version(in: family.versionSource).flatMap { read in
                device.version == nil || family.scheme.version(read) != nil ? read : nil
            }
            // If the family reports its version elsewhere, the advertised one is another number.
            if version != nil, device.versionSource == .advertising, let source = family.versionSource,
                source != .advertising
            {
                device.version = nil
            }
            merge(\.version, version, "version") { heard, read in
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
        switch (fact, family?.versionSource) {
        case ("model", _), ("name", _), ("hardware", _), ("version", nil): return session.union([.services])
        case ("version", .session): return session
        case ("version", .firmwareRevision), ("version", .softwareRevision): return [.services]
        default: return []
        }
    }
}
