package import UpdateModel

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

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type and version", 0x20, 0x00)
        var facts = FrameFacts(telemetryVersion: 0)
        facts.charge = BatteryCharge(voltage: try reader.integer("battery", as: UInt16.self))
        let celsius = try reader.fixedPoint("temperature")
        if celsius != -128 { facts.sensors.append(SensorValue("temperature", celsius, "°C")) }
        let count: UInt32 = try reader.integer("advertising count")
        facts.sensors.append(SensorValue("advertisements", Double(count), ""))
        let uptime = Duration.milliseconds(100) * Int(try reader.integer("uptime", as: UInt32.self))
        facts.sensors.append(SensorValue("uptime", uptime / .seconds(1), "s"))
        self.facts = facts
    }

    /// Nil for telemetry of another version, which has another format.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        let isPlain = advert.bytes.count < 2 || advert.bytes[1] == 0x00
        return isPlain ? try EddystoneTLM(parsing: advert.bytes).facts : nil
    }
}

/// Eddystone's encrypted telemetry (beacon-frames.md, Eddystone), service FEAA. It is recognised, never decrypted:
///
///     0  1  20
///     1  1  version 01
///     2  12 encrypted
///     14 2  salt, which makes two ciphertexts of the same state differ
///     16 2  integrity, the authentication tag
package struct EddystoneEncryptedTLM: FrameFormat {
    package static let kind = FrameKind("eddystone-etlm", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x20, 0x01)]

    package let facts = FrameFacts(telemetryVersion: 1)

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type and version", 0x20, 0x01)
        _ = try reader.bytes("encrypted telemetry", 12)
        _ = try reader.bytes("salt", 2)
        _ = try reader.bytes("integrity", 2)
    }
}

/// The Battery Level characteristic's value as service data, 180F (Battery Service 1.1, 3.1; Core Specification
/// Supplement, Part A, 1.11):
///
///     0  1  percent
package struct BatteryLevel: FrameFormat {
    package static let kind = FrameKind("battery-service", of: .unknown)
    package static let places: [FramePlace] = [.serviceData(0x180F)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        facts = FrameFacts(charge: BatteryCharge(percent: try reader.percent("level")))
        try reader.end(of: "level")
    }
}
