import Bytes
package import UpdateModel

/// Estimote's sticker (beacon-frames.md, Estimote), company 015D:
///
///     0  1  01
///     1  8  identifier
///     9  1  version of the hardware
///     10 1  version of the firmware
///     11 2  low 12 bits, little-endian: temperature in °C / 16, signed
///     12 2  bits 4 to 13, little-endian: voltage in 3.6 V / 1023
///     13 1  bit 6: moving; bit 7: the voltage is that under load
///     14 3  acceleration x, y, z, each signed, in 15.625 mg
///     17 1  how long the current state of motion has lasted, as in `EstimoteMotion`, but with up to 31 days
///     18 1  how long the previous state of motion lasted
package struct Nearable: FrameFormat {
    package static let kind = FrameKind("nearable", of: .nearable)
    package static let places: [FramePlace] = [.manufacturer(0x015D, 0x01)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x01)
        var facts = FrameFacts(id: FrameReader.text(of: try reader.bytes("identifier", 8)))
        facts.hardwareVersion = "\(try reader.integer("hardware", as: UInt8.self))"
        facts.version = "\(try reader.integer("firmware", as: UInt8.self))"
        let word: UInt16 = try reader.integer("temperature", .little)
        let state: UInt8 = try reader.integer("voltage and state")
        let temperature = Double(Int16(bitPattern: word << 4) >> 4) / 16
        facts.charge = BatteryCharge(voltage: (Int(state & 0x3F) << 4 | Int(word >> 12)) * 3600 / 1023)
        facts.flags = ["moving": state & 0x40 != 0, "voltage-under-load": state & 0x80 != 0]
        let acceleration = zip(
            ["acceleration-x", "acceleration-y", "acceleration-z"], try reader.bytes("acceleration", 3)
        ).map { SensorValue($0, Double(Int8(bitPattern: $1)) * 15.625, "mg") }
        let current: UInt8 = try reader.integer("duration of the state of motion")
        let previous: UInt8 = try reader.integer("duration of the previous state of motion")
        facts.sensors =
            [SensorValue("temperature", temperature, "°C")] + acceleration
            + EstimoteMotion.durations(current: current, previous: previous, mostDays: 31)
        self.facts = facts
    }
}

extension Family {
    /// Estimote's stickers.
    package static let nearable = Family("nearable", of: .estimote, [.version, .id])
}
