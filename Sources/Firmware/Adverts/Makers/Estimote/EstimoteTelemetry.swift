import Bytes
package import UpdateModel

/// Estimote's telemetry (beacon-frames.md, Estimote), service FE9A:
///
///     0  1  low nibble 2, high nibble the version of the protocol
///     1  8  the first half of the identifier
///     9  1  low two bits: 0 for subframe A, 1 for B
///     10 10 the subframe
package struct EstimoteTelemetry: FrameFormat {
    package static let kind = FrameKind("estimote-telemetry", of: .estimote)
    package static let places: [FramePlace] = [.serviceData(0xFE9A)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        let first: UInt8 = try reader.integer("frame type")
        let version = first >> 4
        guard first & 0x0F == 2, version <= 2 else {
            throw reader.refusal("frame type", at: 0, "version \(version) of type \(first & 0x0F) is unknown")
        }
        let id = try reader.bytes("short id", 8)
        var facts: FrameFacts
        switch try reader.integer("subframe", as: UInt8.self) & 3 {
        case 0: facts = EstimoteMotion.facts(in: try reader.bytes("subframe", 10), version)
        case 1: facts = EstimoteEnvironment.facts(in: try reader.bytes("subframe", 10), version)
        case let other: throw reader.refusal("subframe", at: 9, "\(other) is unknown")
        }
        facts.id = FrameReader.text(of: id)
        self.facts = facts
    }

    /// Nil for other types of frames, which have other numbers in the low nibble.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        guard let first = advert.bytes.first, first & 0x0F == 2 else { return nil }
        return try EstimoteTelemetry(parsing: advert.bytes).facts
    }
}

extension Maker {
    package static let estimote = Maker(
        "estimote", "Estimote",
        vendorWay: "update it with Estimote's application, signed in with the account that owns it",
        MakerSupport(
            "estimote", title: "Estimote beacon", MakerSupport.vendorOnly(.proven([.source, .simulated])),
            gaps: [
                MakerSupport.Gap(
                    "the packet with which its application connects", needed: "the maker's description"),
                .account,
            ]),
        MakerSupport(
            "nearable", title: "Estimote sticker", MakerSupport.vendorOnly(.proven([.source, .simulated])),
            gaps: [.account]))
}

extension Family {
    package static let estimote = Family("estimote", of: .estimote, [.battery, .id])
}

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

/// Subframe B of Estimote's telemetry (beacon-frames.md, Estimote); offsets in the frame, numbers little-endian:
///
///     10 3  magnetic field x, y, z, each signed, in 1/128 of the strongest; 0 where it was not calibrated
///     13 1  light in lx: 0.72 · low nibble · 2 to the power of the high nibble
///     14 2  low 12 bits: uptime, by bits 12 and 13 in s, min, h or days
///     15 3  bits 6 to 17: temperature in °C / 16, signed
///     17 2  bits 2 to 15: battery in mV; all ones are unknown
///     19 1  in version 0 low two bits: errors of firmware and clock; later the battery in percent, FF unknown
enum EstimoteEnvironment {
    /// The facts in `bytes`, the ten bytes from offset 10 on.
    static func facts(in bytes: [UInt8], _ protocolVersion: UInt8) -> FrameFacts {
        let light = Double(1 << Int(bytes[3] >> 4)) * Double(bytes[3] & 0x0F) * 0.72
        let word = bytes[5..<9].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // Shifting the twelve bits to the top of a signed number, and down again, keeps their sign.
        let temperature = Int32(bitPattern: word << 14) >> 20
        let magnetic = zip(["magnetic-field-x", "magnetic-field-y", "magnetic-field-z"], bytes).map {
            SensorValue($0, Double(Int8(bitPattern: $1)) / 128, "")
        }
        let uptime = Double(Int(bytes[5] & 0x0F) << 8 | Int(bytes[4]))
        let units: [Double] = [1, 60, 3600, 86_400]
        let values =
            magnetic + [
                SensorValue("light", light, "lx"), SensorValue("temperature", Double(temperature) / 16, "°C"),
                SensorValue("uptime", uptime * units[Int(bytes[5] >> 4 & 3)], "s"),
            ]
        let voltage = Int(bytes[8]) << 6 | Int(bytes[7]) >> 2
        var charge = voltage == 0x3FFF ? BatteryCharge() : BatteryCharge(voltage: voltage)
        if protocolVersion >= 1, bytes[9] != 0xFF {
            charge.update(with: BatteryCharge(percentByte: bytes[9]))
        }
        // From version 1 on, subframe A has the errors.
        let errors = protocolVersion == 0 ? EstimoteMotion.errors(bytes[9], at: 0) : [:]
        return FrameFacts(charge: charge, sensors: values, flags: errors)
    }
}
