import Bluetooth
package import UpdateModel

/// The formats of frames, by the places where they are found.
final class FrameTable: Sendable {
    /// The formats of the program's vendors, and those below. It is made at its first use: vendors are added before.
    static let known = FrameTable(KnownVendors.frameFormats + makers + standards)

    /// Of makers without a module of their own.
    private static let makers: [any FrameFormat.Type] = [
        KontaktClassic.self, KontaktPlain.self, KontaktShuffled.self, KontaktTelemetry.self,
        KontaktLocation.self,
        EstimoteTelemetry.self, Nearable.self, ASensor.self,
    ]
    /// That any maker may use.
    private static let standards: [any FrameFormat.Type] = [
        IBeacon.self, EddystoneUID.self, EddystoneURL.self, EddystoneTLM.self, EddystoneEncryptedTLM.self,
        EddystoneEID.self, AltBeacon.self, BatteryLevel.self,
    ]

    private struct Entry: Sendable {
        let prefix: [UInt8]
        let neighbour: BluetoothUUID?
        let format: any FrameFormat.Type
        let kind: FrameKind

        func accepts(_ bytes: [UInt8], _ neighbours: Set<BluetoothUUID>) -> Bool {
            guard bytes.count >= prefix.count else { return false }
            for index in prefix.indices where bytes[index] != prefix[index] { return false }
            return neighbour.map(neighbours.contains) ?? true
        }
    }

    let kinds: [FrameKind]
    /// In the order of recognition: the first of several counts.
    let families: [Family]
    let makers: [Maker]
    /// Families that may send frames of others.
    let claimants: [Family]
    /// Services that formats depend on.
    let neighbours: [BluetoothUUID]
    // Faster than dictionaries: there are few, and every report is looked up.
    private let serviceData: [(service: UInt16, entries: [Entry])]
    private let manufacturer: [(company: UInt16, entries: [Entry])]
    private let anyManufacturer: [Entry]
    private let services: [(service: BluetoothUUID, kind: FrameKind)]

    init(_ formats: [any FrameFormat.Type]) {
        kinds = formats.map { $0.kind }
        families = kinds.reduce(into: []) { if !$0.contains($1.family) { $0.append($1.family) } }
        makers = families.reduce(into: []) {
            if let maker = $1.maker, !$0.contains(maker) { $0.append(maker) }
        }
        claimants = families.filter { $0.claims != nil }
        neighbours = formats.flatMap { $0.places.compactMap(\.neighbour) }
        var (serviceData, manufacturer): ([UInt16: [Entry]], [UInt16: [Entry]]) = ([:], [:])
        var anyManufacturer: [Entry] = []
        var services: [(service: BluetoothUUID, kind: FrameKind)] = []
        for format in formats {
            for place in format.places {
                let entry = Entry(
                    prefix: place.prefix, neighbour: place.neighbour, format: format, kind: format.kind)
                switch place.carrier {
                case .serviceData(let service): serviceData[service, default: []].append(entry)
                case .manufacturer(let company?): manufacturer[company, default: []].append(entry)
                case .manufacturer(nil): anyManufacturer.append(entry)
                case .service(let service): services.append((service, entry.kind))
                }
            }
        }
        self.serviceData = serviceData.map { ($0, $1) }
        self.manufacturer = manufacturer.map { ($0, $1) }
        (self.anyManufacturer, self.services) = (anyManufacturer, services)
    }

    /// The frame in `element` of a report; nil if it has no known format. `neighbours`: those that the sender has listed.
    /// Throws if the frame is recognised but does not fit its format.
    func frame(
        in element: AdvertisingData.Element, of report: AdvertisingData, from sender: DeviceAddress,
        beside neighbours: Set<BluetoothUUID>
    ) throws(FrameError) -> (kind: FrameKind, facts: FrameFacts)? {
        switch element {
        case .serviceData(let service, let bytes):
            guard let short = service.short, let own = serviceData.first(where: { $0.service == short })
            else { return nil }
            return try Self.first(
                of: own.entries, FrameSource(bytes, leftover: report.leftover, sender: sender), neighbours)
        case .manufacturer(let company, let bytes):
            let source = FrameSource(bytes, company: company, leftover: report.leftover, sender: sender)
            if let own = manufacturer.first(where: { $0.company == company }),
                let frame = try Self.first(of: own.entries, source, neighbours)
            {
                return frame
            }
            return try Self.first(of: anyManufacturer, source, neighbours)
        case .services(let list, _):
            return services.first { list.contains($0.service) }.map { ($0.kind, FrameFacts()) }
        default: return nil
        }
    }

    private static func first(
        of entries: [Entry], _ source: FrameSource, _ neighbours: Set<BluetoothUUID>
    ) throws(FrameError) -> (kind: FrameKind, facts: FrameFacts)? {
        for entry in entries where entry.accepts(source.bytes, neighbours) {
            if let facts = try entry.format.facts(in: source) { return (entry.kind, facts) }
        }
        return nil
    }
}

extension FrameKind: CaseIterable {
    package static var allCases: [FrameKind] { FrameTable.known.kinds }
}

extension Family: CaseIterable {
    /// In the order of recognition.
    package static var allCases: [Family] { FrameTable.known.families }
}

extension Maker: CaseIterable {
    package static var allCases: [Maker] { FrameTable.known.makers }
}
