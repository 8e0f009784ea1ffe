import Bluetooth
import Bytes

/// Settings of a controller (BlueZ `doc/mgmt-api.txt`, Read Controller Information).
struct ControllerSettings: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let powered = ControllerSettings(rawValue: 1 << 0)
    /// BR/EDR, the older Bluetooth.
    static let classic = ControllerSettings(rawValue: 1 << 7)
    static let lowEnergy = ControllerSettings(rawValue: 1 << 9)
    static let staticAddress = ControllerSettings(rawValue: 1 << 15)
    static let phyConfiguration = ControllerSettings(rawValue: 1 << 16)
}

/// A controller: its address and its settings.
///
///     0    6  address
///     6    1  Bluetooth version
///     7    2  manufacturer
///     9    4  supported settings
///    13    4  current settings
///    17    3  class of device
///    20  249  name, ended by 0
struct ControllerInformation: Equatable, Sendable {
    /// The public address; all zero when the controller has none.
    let address: DeviceAddress
    let supported: ControllerSettings
    let current: ControllerSettings
    let name: String

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let start = reader.offset
        let bytes = Array(try reader.bytes("address", 6).reversed())
        guard let address = DeviceAddress(bytes, .public) else {
            throw ByteError(
                offset: start, field: "address", reason: .truncated(needed: 6, available: bytes.count))
        }
        self.address = address
        _ = try reader.bytes("version and manufacturer", 3)
        supported = ControllerSettings(rawValue: try reader.integer("supported settings"))
        current = ControllerSettings(rawValue: try reader.integer("current settings"))
        _ = try reader.bytes("class of device", 3)
        name = String(decoding: try reader.bytes("name", 249).prefix { $0 != 0 }, as: UTF8.self)
    }
}
