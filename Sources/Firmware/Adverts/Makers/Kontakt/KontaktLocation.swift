package import UpdateModel

/// Kontakt.io's location frame (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  05
///     1  1  transmission power in dBm, signed
///     2  1  channel
///     3  1  number of the model
///     4  1  bit 0: moving
///     5  n  unique id, ASCII
package struct KontaktLocation: FrameFormat {
    package static let kind = FrameKind("kontakt-location", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xFE6A, 0x05)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("identifier", 0x05)
        var facts = FrameFacts(txPower: Int(try reader.signed("transmission power")))
        _ = try reader.bytes("channel", 1)
        facts.modelNumber = Int(try reader.integer("model", as: UInt8.self))
        facts.flags = ["moving": try reader.integer("flags", as: UInt8.self) & 1 != 0]
        facts.id = try reader.text("unique id", reader.remaining)
        self.facts = facts
    }
}

/// The scan response of Kontakt.io's first beacons, service D00D (beacon-frames.md, Kontakt). Data of another length
/// is not parsed:
///
///     0  4  unique id, ASCII
///     4  1  firmware, major
///     5  1  firmware, minor
///     6  1  battery in percent
package struct KontaktClassic: FrameFormat {
    package static let kind = FrameKind("kontakt-classic", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xD00D)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        facts = FrameFacts(
            id: try reader.text("unique id", 4), version: try reader.version(),
            charge: BatteryCharge(percent: try reader.percent("battery")))
        try reader.end(of: "data")
    }
}
