/// Eddystone EID (beacon-frames.md, Eddystone), service FEAA. The id changes, so it identifies no beacon:
///
///     0  1  30
///     1  1  power at 0 m in dBm, signed
///     2  8  ephemeral id
package struct EddystoneEID: Equatable, Sendable {
    /// In dBm, at 0 m.
    package let power: Int8
    /// Eight bytes.
    package let ephemeralID: [UInt8]

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEID)
        try reader.mark("frame type", 0x30)
        power = try reader.signed("power")
        ephemeralID = try reader.bytes("ephemeral id", 8)
    }

    var facts: FrameFacts { FrameFacts(measuredPower: EddystonePower.atOneMetre(power)) }
}

/// The Battery Level characteristic's value as service data, 180F (Battery Service 1.1, 3.1; Core Specification
/// Supplement, Part A, 1.11):
///
///     0  1  percent
package struct BatteryLevel: Equatable, Sendable {
    /// 0 to 100.
    package let percent: Int

    /// Parses the level; throws unless it has one byte.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .batteryService)
        percent = min(Int(try reader.integer("level", as: UInt8.self)), 100)
        try reader.end(of: "level")
    }
}

/// Eddystone's encrypted telemetry (beacon-frames.md, Eddystone), service FEAA. It is recognised, never decrypted:
///
///     0  1  20
///     1  1  version 01
///     2  12 encrypted
///     14 2  salt
///     16 2  integrity
package struct EddystoneEncryptedTLM: Equatable, Sendable {
    /// Twelve bytes.
    package let encrypted: [UInt8]
    /// Makes two ciphertexts of the same state differ.
    package let salt: UInt16
    /// The authentication tag.
    package let integrity: UInt16

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEncryptedTLM)
        try reader.mark("frame type and version", 0x20, 0x01)
        encrypted = try reader.bytes("encrypted telemetry", 12)
        salt = try reader.integer("salt")
        integrity = try reader.integer("integrity")
    }
}

/// Eddystone TLM, not encrypted (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  20
///     1  1  version 00
///     2  2  battery in mV; 0 is unknown
///     4  2  temperature in °C, signed 8.8; 8000 is unknown
///     6  4  count of advertisements
///     10 4  time since power-on in 0.1 s
package struct EddystoneTLM: Equatable, Sendable {
    /// The battery in mV.
    package let millivolts: UInt16?
    /// In °C.
    package let temperature: Double?
    /// The number of advertisements sent since power-on.
    package let count: UInt32
    /// The time since power-on.
    package let uptime: Duration

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneTLM)
        try reader.mark("frame type and version", 0x20, 0x00)
        let voltage: UInt16 = try reader.integer("battery")
        millivolts = voltage == 0 ? nil : voltage
        let celsius = try reader.fixedPoint("temperature")
        temperature = celsius == -128 ? nil : celsius
        count = try reader.integer("advertising count")
        uptime = .milliseconds(100) * Int(try reader.integer("uptime", as: UInt32.self))
    }

    var facts: FrameFacts {
        FrameFacts(
            charge: BatteryCharge(millivolts: millivolts.map(Int.init)), telemetryVersion: 0,
            sensors: (temperature.map { [SensorValue("temperature", $0, "°C")] } ?? []) + [
                SensorValue("advertisements", Double(count), ""),
                SensorValue("uptime", uptime / .seconds(1), "s"),
            ])
    }
}
