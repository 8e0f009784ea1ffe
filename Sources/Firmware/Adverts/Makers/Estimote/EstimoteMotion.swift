import UpdateModel

/// Subframe A of Estimote's telemetry (beacon-frames.md, Estimote); offsets in the frame:
///
///     10 3  acceleration x, y, z, each signed, in 2/127 g
///     13 1  how long the previous state of motion lasted, as in byte 14
///     14 1  how long the current state of motion has lasted: low six bits: a number; high two bits: its unit, 0 s,
///           1 min, 2 h, 3 days; with unit 3, numbers above 32 are weeks, with 32 added
///     15 1  low two bits: 1 is moving; bits 2 and 3 from version 2 on: errors of firmware and clock; bits 4 to 7:
///           pins 0 to 3 of the GPIO, 1 for high
///     16 1  low two bits in version 1: errors of firmware and clock
///     16 4  from version 2 on: pressure in Pa / 256, little-endian; all ones are unknown
enum EstimoteMotion {
    /// The facts in `bytes`, the ten bytes from offset 10 on.
    static func facts(in bytes: [UInt8], _ protocolVersion: UInt8) -> FrameFacts {
        var flags: [String: Bool] =
            switch protocolVersion {
            // In version 0, subframe B has the errors.
            case 0: [:]
            case 1: errors(bytes[6], at: 0)
            default: errors(bytes[5], at: 2)
            }
        flags["moving"] = bytes[5] & 3 == 1
        for pin in 0..<4 { flags["gpio-\(pin)-high"] = bytes[5] >> (4 + pin) & 1 == 1 }
        var values = zip(["acceleration-x", "acceleration-y", "acceleration-z"], bytes).map {
            SensorValue($0, Double(Int8(bitPattern: $1)) * 2 / 127, "g")
        }
        values += Self.durations(current: bytes[4], previous: bytes[3], mostDays: 32)
        let pressure = bytes[6..<10].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if protocolVersion >= 2, pressure != .max {
            values.append(SensorValue("pressure", Double(pressure) / 256, "Pa"))
        }
        return FrameFacts(sensors: values, flags: flags)
    }

    /// The durations of the current and the previous state of motion; `mostDays` is the highest number that is a number
    /// of days.
    static func durations(current: UInt8, previous: UInt8, mostDays: UInt8) -> [SensorValue] {
        func seconds(_ byte: UInt8) -> Double {
            let number = byte & 0x3F
            return switch byte >> 6 {
            case 0: Double(number)
            case 1: Double(number) * 60
            case 2: Double(number) * 3600
            case _ where number <= mostDays: Double(number) * 86_400
            default: Double(number - 32) * 604_800
            }
        }
        return [
            SensorValue("motion-state-duration", seconds(current), "s"),
            SensorValue("previous-motion-state-duration", seconds(previous), "s"),
        ]
    }

    /// The errors in two bits of `byte`, from bit `place` on: firmware and clock.
    static func errors(_ byte: UInt8, at place: UInt8) -> [String: Bool] {
        ["firmware-error": byte >> place & 1 != 0, "clock-error": byte >> place & 2 != 0]
    }
}
