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

    package let txPower: Int8
    package let channel: UInt8
    package let modelNumber: UInt8
    package let isMoving: Bool
    package let id: String

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("identifier", 0x05)
        txPower = try reader.signed("transmission power")
        channel = try reader.integer("channel")
        modelNumber = try reader.integer("model")
        isMoving = try reader.integer("flags", as: UInt8.self) & 1 != 0
        id = try reader.text("unique id", reader.remaining)
    }

    package var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), id: id, txPower: Int(txPower), flags: ["moving": isMoving])
    }
}

/// The scan response of Kontakt.io's first beacons, service D00D (beacon-frames.md, Kontakt); one of another
/// length is not parsed:
///
///     0  4  unique id, ASCII
///     4  1  firmware, major
///     5  1  firmware, minor
///     6  1  battery in percent
package struct KontaktClassic: FrameFormat {
    package static let kind = FrameKind("kontakt-classic", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xD00D)]

    package let id: String
    package let version: String
    package let percent: Int

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        id = try reader.text("unique id", 4)
        version = try reader.version()
        percent = try reader.percent("battery")
        try reader.end(of: "data")
    }

    package var facts: FrameFacts {
        FrameFacts(id: id, version: version, charge: BatteryCharge(percent: percent))
    }
}
