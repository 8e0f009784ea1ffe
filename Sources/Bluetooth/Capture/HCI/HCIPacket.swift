import Bytes

/// A packet between a host and its controller, as far as a recording of attribute traffic needs it (Vol 4, Part
/// E, 5.4), including its H4 type (Vol 4, Part A, 2).
enum HCIPacket: Equatable, Sendable {
    case connected(LinkOpening)
    /// A link has ended, with the reason (Vol 1, Part F, 1.3).
    case disconnected(handle: UInt16, reason: UInt8)
    case encrypted(handle: UInt16)
    case data(handle: UInt16, ACLFragment, [UInt8])
    case other(UInt8)

    private static let acl: UInt8 = 0x02
    private static let event: UInt8 = 0x04

    private static let disconnectionComplete: UInt8 = 0x05
    private static let encryptionChange: UInt8 = 0x08
    static let meta: UInt8 = 0x3E

    /// Whether the packet is a command or an event, for the flags of its record.
    var isEvent: Bool { if case .data = self { false } else { true } }

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let type: UInt8 = try reader.integer("packet type")
        switch type {
        case Self.acl: try self.init(acl: &reader)
        case Self.event: try self.init(event: &reader)
        default: self = .other(type)
        }
    }

    ///     0  2  handle in bits 0 to 11, fragment in 12 and 13, broadcast in 14 and 15
    ///     2  2  length n
    ///     4  n  data
    private init(acl reader: inout ByteReader) throws(ByteError) {
        let word: UInt16 = try reader.integer("handle and flags")
        let length: UInt16 = try reader.integer("data length")
        let data = Array(try reader.bytes("data", Int(length)))
        try reader.end(of: "ACL data packet")
        self = .data(handle: word & 0x0FFF, ACLFragment(rawValue: word >> 12 & 3) ?? .complete, data)
    }

    ///     0  1  event code
    ///     1  1  length n
    ///     2  n  parameters
    private init(event reader: inout ByteReader) throws(ByteError) {
        let code: UInt8 = try reader.integer("event code")
        let length: UInt8 = try reader.integer("parameter length")
        var parameters = try reader.nested("parameters", Int(length))
        try reader.end(of: "event packet")
        switch code {
        case Self.disconnectionComplete:
            let status: UInt8 = try parameters.integer("status")
            let handle: UInt16 = try parameters.integer("handle")
            let reason: UInt8 = try parameters.integer("reason")
            self = status == 0 ? .disconnected(handle: handle & 0x0FFF, reason: reason) : .other(Self.event)
        case Self.encryptionChange:
            let status: UInt8 = try parameters.integer("status")
            let handle: UInt16 = try parameters.integer("handle")
            let isOn = try parameters.integer("encryption enabled", as: UInt8.self) != 0
            self = status == 0 && isOn ? .encrypted(handle: handle & 0x0FFF) : .other(Self.event)
        case Self.meta:
            self = try LinkOpening(parsing: &parameters).map(Self.connected) ?? .other(Self.event)
        default: self = .other(Self.event)
        }
    }

    /// The packet with its H4 type; for packets that are never written, the type alone.
    var bytes: [UInt8] {
        switch self {
        case .connected(let opening): return Self.event(Self.meta, opening.bytes)
        case .disconnected(let handle, let reason):
            return Self.event(Self.disconnectionComplete, handle, reason)
        case .encrypted(let handle): return Self.event(Self.encryptionChange, handle, 1)
        case .data(let handle, let fragment, let data):
            return [Self.acl] + (handle | fragment.rawValue << 12).bytes()
                + UInt16(truncatingIfNeeded: data.count).bytes() + data
        case .other(let type): return [type]
        }
    }

    private static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [event, code, UInt8(truncatingIfNeeded: parameters.count)] + parameters
    }

    /// An event of status 0, a handle and one byte.
    private static func event(_ code: UInt8, _ handle: UInt16, _ last: UInt8) -> [UInt8] {
        event(code, [0] + handle.bytes() + [last])
    }
}

/// The fragment of an L2CAP packet that a data packet carries (Vol 4, Part E, 5.4.2).
enum ACLFragment: UInt16, Sendable {
    /// The first fragment, or the whole packet, from the host.
    case firstFromHost = 0
    case continuing = 1
    /// The first fragment, or the whole packet, from the controller.
    case firstFromController = 2
    /// The whole packet, as defined for AMP.
    case complete = 3
}
