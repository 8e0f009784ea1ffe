import Bluetooth
import Bytes

/// An event on the management channel (BlueZ `doc/mgmt-api.txt`).
///
///     0  2  event code
///     2  2  controller index
///     4  2  length of the parameters
///     6  …  parameters
enum ManagementEvent: Equatable, Sendable {
    /// A command was carried out, or refused; with its return parameters.
    case commandComplete(opcode: UInt16, ManagementStatus, [UInt8])
    case indexAdded, indexRemoved
    case newSettings(ControllerSettings)
    case deviceFound(Advertisement)
    case deviceConnected(DeviceAddress)
    case deviceDisconnected(DeviceAddress, DisconnectReason)
    /// A pairing waits for confirmation, alone or with a number that both ends show.
    case confirmationRequest(DeviceAddress, showsNumber: Bool)
    case passkeyRequest(DeviceAddress)
    case authenticationFailed(DeviceAddress, ManagementStatus)
    case discovering(Bool)
    case other(code: UInt16)
}

struct DisconnectReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt8

    var description: String {
        let names = [
            "unspecified", "connection timeout", "ended by this host", "ended by the beacon",
            "authentication failure", "ended by this host before sleep",
        ]
        return names.indices.contains(Int(rawValue)) ? names[Int(rawValue)] : "reason \(rawValue)"
    }
}

struct ManagementMessage: Equatable, Sendable {
    let index: UInt16
    let event: ManagementEvent

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let code: UInt16 = try reader.integer("event code")
        index = try reader.integer("controller index")
        let length: UInt16 = try reader.integer("parameter length")
        var parameters = try reader.nested("parameters", Int(length))
        event = try ManagementEvent(code: code, parsing: &parameters)
    }
}

extension ManagementEvent {
    init(code: UInt16, parsing reader: inout ByteReader) throws(ByteError) {
        switch code {
        case 0x0001, 0x0002:
            let opcode: UInt16 = try reader.integer("command opcode")
            let status = ManagementStatus(rawValue: try reader.integer("status"))
            self = .commandComplete(opcode: opcode, status, Array(reader.remainder()))
        case 0x0004: self = .indexAdded
        case 0x0005: self = .indexRemoved
        case 0x0006: self = .newSettings(ControllerSettings(rawValue: try reader.integer("settings")))
        case 0x000B: self = try Self.about(code, &reader) { .deviceConnected($0) }
        case 0x000C:
            let address = try DeviceAddress.management(parsing: &reader)
            let reason = DisconnectReason(rawValue: try reader.integer("reason"))
            self = address.map { .deviceDisconnected($0, reason) } ?? .other(code: code)
        case 0x000F:
            let address = try DeviceAddress.management(parsing: &reader)
            let isAlone = try reader.integer("confirmation hint", as: UInt8.self) != 0
            _ = try reader.integer("value", as: UInt32.self)
            self = address.map { .confirmationRequest($0, showsNumber: !isAlone) } ?? .other(code: code)
        case 0x0010: self = try Self.about(code, &reader) { .passkeyRequest($0) }
        case 0x0011:
            let address = try DeviceAddress.management(parsing: &reader)
            let status = ManagementStatus(rawValue: try reader.integer("status"))
            self = address.map { .authenticationFailed($0, status) } ?? .other(code: code)
        case 0x0012: self = try Self.deviceFound(parsing: &reader) ?? .other(code: code)
        case 0x0013:
            _ = try reader.integer("discovery type", as: UInt8.self)
            self = .discovering(try reader.integer("discovering", as: UInt8.self) != 0)
        default: self = .other(code: code)
        }
    }

    private static func about(
        _ code: UInt16, _ reader: inout ByteReader, _ event: (DeviceAddress) -> ManagementEvent
    ) throws(ByteError) -> ManagementEvent {
        try DeviceAddress.management(parsing: &reader).map(event) ?? .other(code: code)
    }

    ///     0  7  address and type
    ///     7  1  RSSI in dBm, signed; 127 when unknown
    ///     8  4  flags; bit 2: not connectable, bit 5: a scan response by itself, which has no meaningful bit 2
    ///    12  2  length n
    ///    14  n  advertising data and scan response
    private static func deviceFound(parsing reader: inout ByteReader) throws(ByteError) -> ManagementEvent? {
        let address = try DeviceAddress.management(parsing: &reader)
        let rssi = Int8(bitPattern: try reader.integer("RSSI", as: UInt8.self))
        let flags: UInt32 = try reader.integer("flags")
        let length: UInt16 = try reader.integer("data length")
        let data = AdvertisingData(Array(try reader.bytes("advertising data", Int(length))))
        return address.map {
            .deviceFound(
                Advertisement(
                    address: $0, rssi: rssi == 127 ? nil : rssi,
                    isConnectable: flags & 0x20 != 0 ? nil : flags & 0x04 == 0, data: data))
        }
    }
}
