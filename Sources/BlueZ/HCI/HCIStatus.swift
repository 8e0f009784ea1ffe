import Bytes

/// A controller's error code, and why a link has ended (Vol 1, Part F, 1.3).
package struct HCIStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let success = HCIStatus(rawValue: 0x00)
    static let unknownConnection = HCIStatus(rawValue: 0x02)
    static let memoryExceeded = HCIStatus(rawValue: 0x07)
    /// The controller has as many links as it supports.
    static let limitExceeded = HCIStatus(rawValue: 0x09)
    /// The command is not valid in the current state.
    static let disallowed = HCIStatus(rawValue: 0x0C)
    static let limitedResources = HCIStatus(rawValue: 0x0D)

    private static let names: [UInt8: String] = [
        0x00: "success", 0x01: "unknown command", 0x02: "unknown connection", 0x03: "hardware failure",
        0x05: "authentication failure", 0x06: "key missing", 0x07: "memory exceeded",
        0x08: "connection timeout", 0x09: "connection limit exceeded", 0x0B: "connection exists already",
        0x0C: "command disallowed", 0x0D: "rejected for limited resources",
        0x0E: "rejected for security reasons", 0x0F: "rejected for this address",
        0x10: "connection accept timeout", 0x11: "unsupported feature or parameter value",
        0x12: "invalid parameters", 0x13: "remote user terminated", 0x14: "remote device has low resources",
        0x15: "remote device powers off", 0x16: "terminated by this host", 0x17: "repeated attempts",
        0x18: "pairing not allowed", 0x1A: "unsupported remote feature", 0x1E: "invalid link parameters",
        0x1F: "unspecified error", 0x20: "unsupported link parameter value",
        0x22: "link response timeout", 0x23: "collision of link procedures",
        0x24: "link message not allowed", 0x28: "instant passed",
        0x29: "pairing with unit key not supported", 0x2A: "collision of different procedures",
        0x2F: "insufficient security", 0x3A: "controller busy", 0x3B: "unacceptable connection parameters",
        0x3C: "advertising timeout", 0x3D: "message integrity failure", 0x3E: "failed to be established",
        0x44: "cancelled by this host",
    ]

    package var description: String {
        let hex = "0x" + HexText.digits(rawValue, uppercase: true)
        return Self.names[rawValue].map { "\($0) (\(hex))" } ?? "error \(hex)"
    }
}
