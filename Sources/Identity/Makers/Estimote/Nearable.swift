import Bytes
package import UpdateModel

/// Estimote's sticker (beacon-frames.md, Estimote), company 015D:
///
///     0  1  01
///     1  8  identifier
///     9  1  version of the hardware
///     10 1  version of the firmware
///     11 2  low 12 bits, little-endian: temperature in °C / 16, signed
///     12 2  high nibble, and the low six bits of the second: voltage in 3.6 V / 1023
///     13 1  bit 6: moving; bit 7: the voltage is that under load
///     14 3  acceleration x, y, z, each signed, in 15.625 mg
///     17 1  how long the state of motion has lasted, as in telemetry, with up to 31 days
///     18 1  how long the one before it lasted
package struct Nearable: FrameFormat {
    package static let kind = FrameKind("nearable", of: .nearable)
    package static let places: [FramePlace] = [.manufacturer(0x015D, 0x01)]

    package let id: [UInt8]
    package let hardwareVersion: UInt8
    package let version: UInt8
    package let temperature: Double
    package let millivolts: Int
    package let isMoving: Bool
    /// Whether the voltage was measured under load.
    package let isUnderLoad: Bool
    package let values: [SensorValue]

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x01)
        id = try reader.bytes("identifier", 8)
        hardwareVersion = try reader.integer("hardware")
        version = try reader.integer("firmware")
        let word: UInt16 = try reader.integer("temperature", .little)
        let state: UInt8 = try reader.integer("voltage and state")
        temperature = Double(Int16(bitPattern: word << 4) >> 4) / 16
        millivolts = (Int(state & 0x3F) << 4 | Int(word >> 12)) * 3600 / 1023
        isMoving = state & 0x40 != 0
        isUnderLoad = state & 0x80 != 0
        let acceleration = zip(
            ["acceleration-x", "acceleration-y", "acceleration-z"], try reader.bytes("acceleration", 3)
        ).map { SensorValue($0, Double(Int8(bitPattern: $1)) * 15.625, "mg") }
        let current: UInt8 = try reader.integer("duration of the state of motion")
        let previous: UInt8 = try reader.integer("duration of the previous state of motion")
        values =
            [SensorValue("temperature", temperature, "°C")] + acceleration
            + EstimoteMotion.durations(current: current, previous: previous, mostDays: 31)
    }

    package var facts: FrameFacts {
        FrameFacts(
            id: FrameReader.text(of: id), version: "\(version)", hardwareVersion: "\(hardwareVersion)",
            charge: BatteryCharge(voltage: millivolts),
            sensors: values,
            flags: ["moving": isMoving, "voltage-under-load": isUnderLoad])
    }
}

extension Family {
    /// Estimote's stickers.
    package static let nearable = Family("nearable", of: .estimote, [.version, .id])
}
