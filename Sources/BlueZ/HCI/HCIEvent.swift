import Bluetooth
import Bytes

/// An event of the controller (Vol 4, Part E, 7.7).
///
///     0  1  packet type: 0x04
///     1  1  event code
///     2  1  length of the parameters
///     3  …  parameters
enum HCIEvent: Equatable, Sendable {
    /// A command was carried out, or refused; with its return parameters after the status.
    case commandComplete(opcode: UInt16, HCIStatus, [UInt8])
    case commandStatus(opcode: UInt16, HCIStatus)
    case connectionComplete(
        HCIStatus, handle: UInt16, DeviceAddress, interval: Duration, supervisionTimeout: Duration)
    case disconnectionComplete(handle: UInt16, reason: HCIStatus)
    /// A link's parameters have changed, or stay after a refusal.
    case connectionUpdate(HCIStatus, handle: UInt16, interval: Duration, supervisionTimeout: Duration)
    case dataLengthChange(handle: UInt16, sendOctets: Int)
    /// A link's PHYs have changed, or stay after a refusal.
    case phyUpdate(HCIStatus, handle: UInt16, sending: PHY?)
    case other(code: UInt8)

    /// The answer to a command, if the event is one: the command's status, and the return parameters after it.
    var answer: (opcode: UInt16, status: HCIStatus, parameters: [UInt8])? {
        switch self {
        case .commandComplete(let opcode, let status, let parameters): (opcode, status, parameters)
        case .commandStatus(let opcode, let status): (opcode, status, [])
        default: nil
        }
    }

    /// The bits of a handle (5.4.2).
    static let handleBits: UInt16 = 0x0FFF

    init(parsing reader: inout ByteReader) throws(ByteError) {
        try reader.expect(0x04 as UInt8, "packet type")
        let code: UInt8 = try reader.integer("event code")
        let length: UInt8 = try reader.integer("parameter length")
        var parameters = try reader.nested("parameters", Int(length))
        try self.init(code: code, parsing: &parameters)
    }

    init(code: UInt8, parsing reader: inout ByteReader) throws(ByteError) {
        switch code {
        case 0x05:
            let status = HCIStatus(rawValue: try reader.integer("status"))
            let handle = try Self.handle(parsing: &reader)
            let reason = HCIStatus(rawValue: try reader.integer("reason"))
            self =
                status == .success
                ? .disconnectionComplete(handle: handle, reason: reason) : .other(code: code)
        case 0x0E:
            _ = try reader.integer("packets", as: UInt8.self)
            let opcode: UInt16 = try reader.integer("opcode")
            // An event that only allows another command has no status; its opcode is 0.
            guard reader.remaining > 0 else {
                self = .other(code: code)
                return
            }
            let status = HCIStatus(rawValue: try reader.integer("status"))
            self = .commandComplete(opcode: opcode, status, Array(reader.remainder()))
        case 0x0F:
            let status = HCIStatus(rawValue: try reader.integer("status"))
            _ = try reader.integer("packets", as: UInt8.self)
            self = .commandStatus(opcode: try reader.integer("opcode"), status)
        case 0x3E: try self.init(meta: try reader.integer("subevent"), parsing: &reader)
        default: self = .other(code: code)
        }
    }

    /// LE Meta events (7.7.65).
    init(meta code: UInt8, parsing reader: inout ByteReader) throws(ByteError) {
        switch code {
        case 0x01, 0x0A: self = try Self.connectionComplete(isEnhanced: code == 0x0A, parsing: &reader)
        case 0x03:
            let status = HCIStatus(rawValue: try reader.integer("status"))
            let handle = try Self.handle(parsing: &reader)
            let (interval, timeout) = try Self.parameters(parsing: &reader)
            self = .connectionUpdate(status, handle: handle, interval: interval, supervisionTimeout: timeout)
        case 0x07:
            let handle = try Self.handle(parsing: &reader)
            let octets: UInt16 = try reader.integer("sending octets")
            self = .dataLengthChange(handle: handle, sendOctets: Int(octets))
        case 0x0C:
            let status = HCIStatus(rawValue: try reader.integer("status"))
            let handle = try Self.handle(parsing: &reader)
            self = .phyUpdate(status, handle: handle, sending: PHY(hci: try reader.integer("sending PHY")))
        default: self = .other(code: 0x3E)
        }
    }

    ///     0   1  status
    ///     1   2  handle
    ///     3   1  role
    ///     4   1  peer's address type
    ///     5   6  peer's address
    ///    11  12  only in the enhanced event: resolvable addresses of both ends
    ///     …   6  interval, latency and supervision timeout
    private static func connectionComplete(
        isEnhanced: Bool, parsing reader: inout ByteReader
    ) throws(ByteError) -> HCIEvent {
        let status = HCIStatus(rawValue: try reader.integer("status"))
        let handle = try handle(parsing: &reader)
        _ = try reader.integer("role", as: UInt8.self)
        let kind = DeviceAddress.Kind(eventType: try reader.integer("address type"))
        let address = try DeviceAddress(parsing: &reader, kind)
        if isEnhanced { _ = try reader.bytes("resolvable addresses", 12) }
        let (interval, timeout) = try parameters(parsing: &reader)
        return .connectionComplete(
            status, handle: handle, address, interval: interval, supervisionTimeout: timeout)
    }

    static func handle(parsing reader: inout ByteReader) throws(ByteError) -> UInt16 {
        try reader.integer("handle", as: UInt16.self) & handleBits
    }

    ///     0  2  interval, 1.25 ms
    ///     2  2  latency
    ///     4  2  supervision timeout, 10 ms
    private static func parameters(
        parsing reader: inout ByteReader
    ) throws(ByteError) -> (interval: Duration, supervisionTimeout: Duration) {
        let interval: UInt16 = try reader.integer("interval")
        _ = try reader.integer("latency", as: UInt16.self)
        let timeout: UInt16 = try reader.integer("supervision timeout")
        return (.microseconds(1250) * Int(interval), .milliseconds(10) * Int(timeout))
    }
}

extension PHY {
    /// The PHY of an event or a return parameter: 1 LE 1M, 2 LE 2M, 3 LE Coded.
    init?(hci code: UInt8) {
        switch code {
        case 1: self = .le1M
        case 2: self = .le2M
        case 3: self = .leCoded
        default: return nil
        }
    }

    /// The return parameters of LE Read PHY after the status: a link, and the PHY it sends with.
    ///
    ///     0  2  handle
    ///     2  1  sending
    ///     3  1  receiving
    static func ofLink(parsing reader: inout ByteReader) throws(ByteError) -> (handle: UInt16, PHY?) {
        let handle = try HCIEvent.handle(parsing: &reader)
        return (handle, PHY(hci: try reader.integer("sending PHY")))
    }
}

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
