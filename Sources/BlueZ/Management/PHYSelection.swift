import Bytes

/// PHYs of a controller, as the management interface numbers them (BlueZ `doc/mgmt-api.txt`, Get PHY Configuration).
struct PHYSelection: OptionSet, Hashable, Sendable {
    /// The bits.
    let rawValue: UInt32
    /// The PHYs of the bits.
    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// LE 1M and LE 2M, for sending and receiving: bits 9 to 12.
    static let fast = PHYSelection(rawValue: 0x1E00)
}

/// The PHYs that a controller supports and uses.
///
///     0  4  supported
///     4  4  of these, what may be selected
///     8  4  selected
struct PHYConfiguration: Equatable, Sendable {
    /// What may be selected.
    let configurable: PHYSelection
    /// What is selected; PHYs that cannot be configured have to stay in it.
    let selected: PHYSelection

    init(parsing reader: inout ByteReader) throws(ByteError) {
        _ = try reader.integer("supported PHYs", as: UInt32.self)
        configurable = PHYSelection(rawValue: try reader.integer("configurable PHYs"))
        selected = PHYSelection(rawValue: try reader.integer("selected PHYs"))
    }

    /// The selection with LE 1M and 2M added where they are configurable.
    var withFast: PHYSelection { selected.union(configurable.intersection(.fast)) }
}
