package import UpdateModel

/// KKM's frame for measuring the angle of arrival (beacon-frames.md, KBeacon), company 0A53 or 000D. It is
/// recognised, but its values are not used:
///
///     0  1  04
///     1  1  bit 3: three bytes of acceleration follow
///     2  1  otherwise: low three bits the channel, 1 to 3; high nibble the number of a power, 0 to 9
///     3  1  otherwise: high nibble the battery in steps of 10 %
package struct KKMAOA: FrameFormat {
    package static let kind = FrameKind("kkm-aoa", of: .kkm)
    package static let places: [FramePlace] = [.manufacturer(0x0A53, 0x04), .manufacturer(0x000D, 0x04)]

    package let hasAcceleration: Bool

    package init(parsing reader: inout FrameReader) throws(FrameError) {
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

    package var facts: FrameFacts { FrameFacts(isSecondGeneration: true) }

    /// Of others' frames with the company 000D only those with checked values.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        guard advert.company == 0x000D else { return try KKMAOA(parsing: advert.bytes).facts }
        return (try? KKMAOA(parsing: advert.bytes)).flatMap { $0.hasAcceleration ? nil : $0.facts }
    }
}
