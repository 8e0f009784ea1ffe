import Bytes

/// A packet from the peer, by what the client does with it.
enum IncomingATTPacket: Equatable, Sendable {
    /// The answer to our request; the request parses the parameters.
    case answer(ATTOpcode, [UInt8])
    /// Our request was refused.
    ///
    ///     0  1  opcode 01
    ///     1  1  the request's opcode
    ///     2  2  handle
    ///     4  1  status
    case refusal(of: ATTOpcode, handle: UInt16, status: ATTStatus)
    case notification(handle: UInt16, value: [UInt8])
    case indication(handle: UInt16, value: [UInt8])
    /// A request by the peer, which may be a client too.
    case request(ATTOpcode, [UInt8])
    /// A command or a packet without meaning for a client.
    case ignored(ATTOpcode)

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let opcode = ATTOpcode(rawValue: try reader.integer("opcode"))
        switch opcode {
        case .errorResponse:
            let request = ATTOpcode(rawValue: try reader.integer("request opcode"))
            let handle: UInt16 = try reader.integer("handle")
            let status = ATTStatus(rawValue: try reader.integer("error code"))
            self = .refusal(of: request, handle: handle, status: status)
        case .notification:
            let handle: UInt16 = try reader.integer("handle")
            self = .notification(handle: handle, value: Array(reader.remainder()))
        case .indication:
            let handle: UInt16 = try reader.integer("handle")
            self = .indication(handle: handle, value: Array(reader.remainder()))
        case .confirmation, .multipleNotification: self = .ignored(opcode)
        case _ where opcode.isCommand: self = .ignored(opcode)
        case _ where opcode.isRequest: self = .request(opcode, Array(reader.remainder()))
        default:
            // An answer's opcode is its request's plus 1, which is odd. Every unknown odd opcode ends up here too;
            // the waiting request rejects it.
            self = .answer(opcode, Array(reader.remainder()))
        }
    }
}

/// An error code of the attribute protocol (Vol 3, Part F, 3.4.1.1), with its name.
///
/// Not an enumeration: 0x80 to 0x9F belong to applications, 0xE0 to 0xFF to profiles and services.
public struct ATTStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    static let invalidPDU = ATTStatus(rawValue: 0x04)
    static let requestNotSupported = ATTStatus(rawValue: 0x06)
    static let invalidOffset = ATTStatus(rawValue: 0x07)
    static let attributeNotFound = ATTStatus(rawValue: 0x0A)
    static let attributeNotLong = ATTStatus(rawValue: 0x0B)

    static let insufficientEncryption = ATTStatus(rawValue: 0x0F)
    package static let insufficientAuthentication = ATTStatus(rawValue: 0x05)
    /// The device denies access until its owner allows it (Vol 3, Part F, 4).
    package static let insufficientAuthorization = ATTStatus(rawValue: 0x08)

    /// Whether the request may succeed on an encrypted link (Vol 3, Part F, 4: a server reports insufficient
    /// authentication first to a client without a bond).
    var asksForEncryption: Bool { self == .insufficientEncryption || self == .insufficientAuthentication }

    private static let names: [UInt8: String] = [
        0x01: "invalid handle", 0x02: "read not permitted", 0x03: "write not permitted",
        0x04: "invalid PDU", 0x05: "insufficient authentication", 0x06: "request not supported",
        0x07: "invalid offset", 0x08: "insufficient authorization", 0x09: "prepare queue full",
        0x0A: "attribute not found", 0x0B: "attribute not long", 0x0C: "encryption key size too short",
        0x0D: "invalid attribute value length", 0x0E: "unlikely error", 0x0F: "insufficient encryption",
        0x10: "unsupported group type", 0x11: "insufficient resources", 0x12: "database out of sync",
        0x13: "value not allowed", 0xFC: "write request rejected",
        0xFD: "client characteristic configuration descriptor improperly configured",
        0xFE: "procedure already in progress", 0xFF: "out of range",
    ]

    public var description: String {
        if let name = Self.names[rawValue] { return name }
        let hex = HexText.number(rawValue)
        return (0x80...0x9F).contains(rawValue) ? "application error \(hex)" : "reserved error \(hex)"
    }
}
