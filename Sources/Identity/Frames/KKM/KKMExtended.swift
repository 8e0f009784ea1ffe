/// KKM's scan response data under 2080 (beacon-frames.md, KBeacon):
///
///     0  1  battery in percent
///     1  1  flags
///     2  n  by the flags: with 04 the iBeacon's major and minor, big-endian; with none of them and 01 first, the last
///           three bytes of an address that begins with BC:57:29
public struct KKMExtended: Equatable, Sendable {
    /// 0 to 100.
    public let percent: Int
    /// As sent.
    public let flags: UInt8
    /// The iBeacon's major.
    public let major: UInt16?
    /// The iBeacon's minor.
    public let minor: UInt16?
    /// As text.
    public let address: String?

    /// Parses the data; throws if it has fewer than three bytes. Declared but missing fields are nil.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmExtended)
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        flags = try reader.integer("flags")
        guard reader.remaining > 0 else { throw reader.refusal("content", at: 2, "no data") }
        let hasNumbers = flags & 0x04 != 0 && reader.remaining >= 4
        major = hasNumbers ? try reader.integer("major") : nil
        minor = hasNumbers ? try reader.integer("minor") : nil
        guard flags == 0, reader.remaining >= 4, try reader.integer("content", as: UInt8.self) == 0x01 else {
            address = nil
            return
        }
        address = FrameReader.text(ofAddress: KKMSystem.prefix + (try reader.bytes("address", 3)))
    }

    var facts: FrameFacts {
        FrameFacts(
            id: address, charge: BatteryCharge(percent: percent),
            majorAndMinor: major.flatMap { major in minor.map { MajorAndMinor(major: major, minor: $0) } })
    }
}
