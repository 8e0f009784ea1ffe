/// The scan response of Kontakt.io's first beacons, service D00D (beacon-frames.md, Kontakt); one of another
/// length is not parsed:
///
///     0  4  unique id, ASCII
///     4  1  firmware, major
///     5  1  firmware, minor
///     6  1  battery in percent
public struct KontaktClassic: Equatable, Sendable {
    /// Four characters.
    public let id: String
    /// Major and minor, decimal.
    public let version: String
    /// 0 to 100.
    public let percent: Int

    /// Parses the data; throws unless it has seven bytes and a printable id.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktClassic)
        id = try reader.text("unique id", 4)
        let major: UInt8 = try reader.integer("firmware, major")
        version = "\(major).\(try reader.integer("firmware, minor", as: UInt8.self))"
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        try reader.end(of: "data")
    }

    var facts: FrameFacts {
        FrameFacts(id: id, version: version, charge: BatteryCharge(percent: percent))
    }
}
