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
        address = try DeviceAddress(parsing: &reader, .public)
        _ = try reader.bytes("version and manufacturer", 3)
        supported = ControllerSettings(rawValue: try reader.integer("supported settings"))
        current = ControllerSettings(rawValue: try reader.integer("current settings"))
        _ = try reader.bytes("class of device", 3)
        name = String(decoding: try reader.bytes("name", 249).prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// PHYs of a controller, as the management interface numbers them (BlueZ `doc/mgmt-api.txt`, Get PHY Configuration).
struct PHYSelection: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    /// LE 1M and LE 2M, for sending and receiving: bits 9 to 12.
    static let fast = PHYSelection(rawValue: 0x1E00)
    /// LE 2M, for sending and receiving: bits 11 and 12.
    static let le2M = PHYSelection(rawValue: 0x1800)
    /// LE Coded, for sending and receiving: bits 13 and 14.
    static let coded = PHYSelection(rawValue: 0x6000)
}

/// The PHYs that a controller supports and uses.
///
///     0  4  supported
///     4  4  of these, what may be selected
///     8  4  selected
struct PHYConfiguration: Equatable, Sendable {
    let supported: PHYSelection
    let configurable: PHYSelection
    /// What is selected; PHYs that cannot be configured have to stay in it.
    let selected: PHYSelection

    init(parsing reader: inout ByteReader) throws(ByteError) {
        supported = PHYSelection(rawValue: try reader.integer("supported PHYs"))
        configurable = PHYSelection(rawValue: try reader.integer("configurable PHYs"))
        selected = PHYSelection(rawValue: try reader.integer("selected PHYs"))
    }

    /// The selection with LE 1M, 2M and, if `coded`, LE Coded added where they are configurable.
    func withFast(coded: Bool) -> PHYSelection {
        selected.union(configurable.intersection(coded ? [.fast, .coded] : .fast))
    }

    /// Whether the controller listens on LE Coded. Nil if it supports LE Coded and has not selected it, but either
    /// cannot select it or `isWanted` and will be asked to.
    func coded(isWanted: Bool) -> CodedReception? {
        if !selected.isDisjoint(with: .coded) { return .selected }
        if supported.isDisjoint(with: .coded) { return .missing }
        return isWanted || configurable.isDisjoint(with: .coded) ? nil : .notSelected
    }
}
