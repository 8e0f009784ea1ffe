import Bluetooth

/// Values to read before the update, in this order (dialog-suota.md, Conversation). The first four are values of the
/// Device Information Service, which distinguish devices (DIS 1.1, 3); their raw values appear in events.
enum Question: String, CaseIterable, Sendable {
    case manufacturer
    case model
    case firmwareRevision = "firmware revision"
    case softwareRevision = "software revision"
    case version
    case patchDataSize
    case mtu
    case psm

    var next: Question? { Self.allCases.drop { $0 != self }.dropFirst().first }

    var characteristic: Characteristic {
        switch self {
        case .manufacturer: .manufacturerName
        case .model: .modelNumber
        case .firmwareRevision: .firmwareRevision
        case .softwareRevision: .softwareRevision
        case .version: SUOTAService.version
        case .patchDataSize: SUOTAService.patchDataSize
        case .mtu: SUOTAService.mtu
        case .psm: SUOTAService.psm
        }
    }
}

/// Facts that a device reports before the update (dialog-suota.md, Layout); nil if absent.
struct DeviceFacts: Equatable, Sendable {
    var information: [Question: String] = [:]
    /// The version of the service: 13 is 1.3.
    var version: Int?
    /// The largest chunk in bytes.
    var patchDataSize: Int?
    var mtu: Int?
    var psm: UInt16?

    /// The version of the service in SDK 6.
    static let largeBlockVersion = 13

    /// Whether the device reports SDK 6 or later, which accepts blocks of 512 bytes.
    var acceptsLargeBlocks: Bool { (version ?? 0) >= Self.largeBlockVersion }

    var family: HeaderFamily? { information[.model].flatMap(HeaderFamily.init(chipNamedIn:)) }

    var revisions: [String] { [Question.firmwareRevision, .softwareRevision].compactMap { information[$0] } }

    /// Whether the device reports that it runs `version`; a leading `v` or `v_` is ignored on both sides.
    func runs(_ version: String) -> Bool {
        !version.isEmpty && revisions.contains { $0 == version || Self.bare($0) == Self.bare(version) }
    }

    private static func bare(_ text: String) -> Substring {
        let start = text.first == "v" || text.first == "V" ? text.dropFirst() : text[...]
        return start.first == "_" ? start.dropFirst() : start
    }

    /// The little-endian number in the first four of `bytes`; nil if there are none. Devices differ in the length.
    static func number(_ bytes: [UInt8]) -> Int? {
        bytes.isEmpty ? nil : bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
