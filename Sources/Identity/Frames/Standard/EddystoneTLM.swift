/// Eddystone TLM, not encrypted (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  20
///     1  1  version 00
///     2  2  battery in mV; 0 is unknown
///     4  2  temperature in °C, signed 8.8; 8000 is unknown
///     6  4  count of advertisements
///     10 4  time since power-on in 0.1 s
public struct EddystoneTLM: Equatable, Sendable {
    /// The battery in mV.
    public let millivolts: UInt16?
    /// In °C.
    public let temperature: Double?
    /// The number of advertisements sent since power-on.
    public let count: UInt32
    /// The time since power-on.
    public let uptime: Duration

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
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
