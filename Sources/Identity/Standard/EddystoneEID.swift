package import UpdateModel

/// Eddystone EID (beacon-frames.md, Eddystone), service FEAA. The id changes, so it identifies no beacon:
///
///     0  1  30
///     1  1  power at 0 m in dBm, signed
///     2  8  ephemeral id
package struct EddystoneEID: FrameFormat {
    package static let kind = FrameKind("eddystone-eid", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x30)]

    package let power: Int8
    package let ephemeralID: [UInt8]

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x30)
        power = try reader.signed("power")
        ephemeralID = try reader.bytes("ephemeral id", 8)
    }

    package var facts: FrameFacts { FrameFacts(measuredPower: EddystonePower.atOneMetre(power)) }
}

/// The Battery Level characteristic's value as service data, 180F (Battery Service 1.1, 3.1; Core Specification
/// Supplement, Part A, 1.11):
///
///     0  1  percent
package struct BatteryLevel: FrameFormat {
    package static let kind = FrameKind("battery-service", of: .unknown)
    package static let places: [FramePlace] = [.serviceData(0x180F)]

    package let percent: Int

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        percent = try reader.percent("level")
        try reader.end(of: "level")
    }

    package var facts: FrameFacts { FrameFacts(charge: BatteryCharge(percent: percent)) }
}

/// Eddystone's encrypted telemetry (beacon-frames.md, Eddystone), service FEAA. It is recognised, never decrypted:
///
///     0  1  20
///     1  1  version 01
///     2  12 encrypted
///     14 2  salt
///     16 2  integrity
package struct EddystoneEncryptedTLM: FrameFormat {
    package static let kind = FrameKind("eddystone-etlm", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x20, 0x01)]

    package let encrypted: [UInt8]
    /// Makes two ciphertexts of the same state differ.
    package let salt: UInt16
    /// The authentication tag.
    package let integrity: UInt16

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type and version", 0x20, 0x01)
        encrypted = try reader.bytes("encrypted telemetry", 12)
        salt = try reader.integer("salt")
        integrity = try reader.integer("integrity")
    }

    package var facts: FrameFacts { FrameFacts(telemetryVersion: 1) }
}

/// Eddystone TLM, not encrypted (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  20
///     1  1  version 00
///     2  2  battery in mV; 0 is unknown
///     4  2  temperature in °C, signed 8.8; 8000 is unknown
///     6  4  count of advertisements
///     10 4  time since power-on in 0.1 s
package struct EddystoneTLM: FrameFormat {
    package static let kind = FrameKind("eddystone-tlm", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x20)]

    package let millivolts: UInt16?
    package let temperature: Double?
    package let count: UInt32
    package let uptime: Duration

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type and version", 0x20, 0x00)
        let voltage: UInt16 = try reader.integer("battery")
        millivolts = voltage == 0 ? nil : voltage
        let celsius = try reader.fixedPoint("temperature")
        temperature = celsius == -128 ? nil : celsius
        count = try reader.integer("advertising count")
        uptime = .milliseconds(100) * Int(try reader.integer("uptime", as: UInt32.self))
    }

    /// With another version it is somebody else's.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        let isPlain = advert.bytes.count < 2 || advert.bytes[1] == 0x00
        return isPlain ? try EddystoneTLM(parsing: advert.bytes).facts : nil
    }

    package var facts: FrameFacts {
        FrameFacts(
            charge: BatteryCharge(millivolts: millivolts.map(Int.init)), telemetryVersion: 0,
            sensors: (temperature.map { [SensorValue("temperature", $0, "°C")] } ?? []) + [
                SensorValue("advertisements", Double(count), ""),
                SensorValue("uptime", uptime / .seconds(1), "s"),
            ])
    }
}
