import Bluetooth
import Bytes

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
