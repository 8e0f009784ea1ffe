import Bytes

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
