/// Kontakt.io's location frame (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  05
///     1  1  transmission power in dBm, signed
///     2  1  channel
///     3  1  number of the model
///     4  1  bit 0: moving
///     5  n  unique id, ASCII
package struct KontaktLocation: Equatable, Sendable {
    /// In dBm.
    package let txPower: Int8
    /// The channel that it was sent on.
    package let channel: UInt8
    /// The model's number.
    package let modelNumber: UInt8
    /// Whether it moves.
    package let isMoving: Bool
    /// As printed on the beacon.
    package let id: String

    /// Parses the frame; throws if it is short, begins differently, or has an unprintable id.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktLocation)
        try reader.mark("identifier", 0x05)
        txPower = try reader.signed("transmission power")
        channel = try reader.integer("channel")
        modelNumber = try reader.integer("model")
        isMoving = try reader.integer("flags", as: UInt8.self) & 1 != 0
        id = try reader.text("unique id", reader.remaining)
    }

    var facts: FrameFacts {
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
package struct KontaktClassic: Equatable, Sendable {
    /// Four characters.
    package let id: String
    /// Major and minor, decimal.
    package let version: String
    /// 0 to 100.
    package let percent: Int

    /// Parses the data; throws unless it has seven bytes and a printable id.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
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
