/// KKM's frame for measuring the angle of arrival (beacon-frames.md, KBeacon), company 0A53 or 000D. It is
/// recognised, but its values are not used:
///
///     0  1  04
///     1  1  bit 3: three bytes of acceleration follow
///     2  1  otherwise: low three bits the channel, 1 to 3; high nibble the number of a power, 0 to 9
///     3  1  otherwise: high nibble the battery in steps of 10 %
package struct KKMAOA: Equatable, Sendable {
    /// Whether it has an acceleration instead of channel, power and battery.
    package let hasAcceleration: Bool

    /// Parses the frame; throws if it is short, begins differently, or has an invalid channel or power.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmAOA)
        try reader.mark("frame type", 0x04)
        hasAcceleration = try reader.integer("kind", as: UInt8.self) & 0x08 != 0
        guard !hasAcceleration else {
            _ = try reader.bytes("acceleration", 3)
            return
        }
        let air: UInt8 = try reader.integer("channel and power")
        guard (1...3).contains(air & 7), air >> 4 <= 9 else {
            throw reader.refusal("channel and power", at: 2, "\(air) is not valid")
        }
        guard try reader.integer("battery", as: UInt8.self) >> 4 <= 10 else {
            throw reader.refusal("battery", at: 3, "above 100 %")
        }
    }
}
