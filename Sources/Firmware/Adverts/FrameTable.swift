import Bluetooth
package import UpdateModel

/// The formats of frames, by the places where they are found.
final class FrameTable: Sendable {
    /// All known formats. The table is made at its first use, so vendors have to be added before (`KnownVendors.add`).
    static let known = FrameTable(KnownVendors.frameFormats + makers + standards)

    /// The formats of makers without a module of their own.
    private static let makers: [any FrameFormat.Type] = [
        KontaktClassic.self, KontaktPlain.self, KontaktShuffled.self, KontaktTelemetry.self,
        KontaktLocation.self,
        EstimoteTelemetry.self, Nearable.self, ASensor.self,
    ]
    /// The formats that any maker may use.
    private static let standards: [any FrameFormat.Type] = [
        IBeacon.self, EddystoneUID.self, EddystoneURL.self, EddystoneTLM.self, EddystoneEncryptedTLM.self,
        EddystoneEID.self, AltBeacon.self, BatteryLevel.self,
    ]

    private struct Entry: Sendable {
        let prefix: [UInt8]
        let requiredService: BluetoothUUID?
        let format: any FrameFormat.Type
        let kind: FrameKind

        func accepts(_ bytes: [UInt8], _ listedServices: Set<BluetoothUUID>) -> Bool {
            guard bytes.count >= prefix.count else { return false }
            for index in prefix.indices where bytes[index] != prefix[index] { return false }
            return requiredService.map(listedServices.contains) ?? true
        }
    }

    let kinds: [FrameKind]
    /// The families in the order of recognition: if a beacon sends frames of several, the first counts.
    let families: [Family]
    let makers: [Maker]
    /// Families whose beacons may send only frames of other families for a while.
    let claimants: [Family]
    /// Services that a beacon must list for some of the formats.
    let requiredServices: [BluetoothUUID]
    // Arrays are faster than dictionaries here: they are short, and every report is looked up.
    private let serviceData: [(service: UInt16, entries: [Entry])]
    private let manufacturer: [(company: UInt16, entries: [Entry])]
    private let anyManufacturer: [Entry]
    private let services: [(service: BluetoothUUID, kind: FrameKind)]

    init(_ formats: [any FrameFormat.Type]) {
        kinds = formats.map { $0.kind }
        families = kinds.map(\.family).unique
        makers = families.compactMap(\.maker).unique
        claimants = families.filter { $0.includesBeacon != nil }
        requiredServices = formats.flatMap { $0.places.compactMap(\.requiredService) }
        var (serviceData, manufacturer): ([UInt16: [Entry]], [UInt16: [Entry]]) = ([:], [:])
        var anyManufacturer: [Entry] = []
        var services: [(service: BluetoothUUID, kind: FrameKind)] = []
        for format in formats {
            for place in format.places {
                let entry = Entry(
                    prefix: place.prefix, requiredService: place.requiredService, format: format,
                    kind: format.kind)
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

    /// The frame in `element` of a report; nil if it has no known format. Throws if the frame is recognised but does
    /// not fit its format. `listedServices` are the `requiredServices` that the sender has listed.
    func frame(
        in element: AdvertisingData.Element, of report: AdvertisingData, from sender: DeviceAddress,
        listing listedServices: Set<BluetoothUUID>
    ) throws(FrameError) -> (kind: FrameKind, facts: FrameFacts)? {
        switch element {
        case .serviceData(let service, let bytes):
            guard let short = service.short, let own = serviceData.first(where: { $0.service == short })
            else { return nil }
            return try Self.first(
                of: own.entries, FrameSource(bytes, leftover: report.leftover, sender: sender), listedServices
            )
        case .manufacturer(let company, let bytes):
            let source = FrameSource(bytes, company: company, leftover: report.leftover, sender: sender)
            if let own = manufacturer.first(where: { $0.company == company }),
                let frame = try Self.first(of: own.entries, source, listedServices)
            {
                return frame
            }
            return try Self.first(of: anyManufacturer, source, listedServices)
        case .services(let list, _):
            return services.first { list.contains($0.service) }.map { ($0.kind, FrameFacts()) }
        default: return nil
        }
    }

    private static func first(
        of entries: [Entry], _ source: FrameSource, _ listedServices: Set<BluetoothUUID>
    ) throws(FrameError) -> (kind: FrameKind, facts: FrameFacts)? {
        for entry in entries where entry.accepts(source.bytes, listedServices) {
            if let facts = try entry.format.facts(in: source) { return (entry.kind, facts) }
        }
        return nil
    }
}

extension FrameKind: CaseIterable {
    package static var allCases: [FrameKind] { FrameTable.known.kinds }
}

extension Family: CaseIterable {
    /// The families in the order of recognition.
    package static var allCases: [Family] { FrameTable.known.families }
}

extension Maker: CaseIterable {
    package static var allCases: [Maker] { FrameTable.known.makers }
}
