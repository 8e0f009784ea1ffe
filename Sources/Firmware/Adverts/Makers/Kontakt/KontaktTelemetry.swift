package import UpdateModel

/// Kontakt.io's telemetry (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  03
///     1  n  records of length (including the kind), kind and value
///
/// A record that runs past the end makes the frame invalid.
package struct KontaktTelemetry: FrameFormat {
    package static let kind = FrameKind("kontakt-telemetry", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xFE6A, 0x03)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("identifier", 0x03)
        var facts = FrameFacts()
        while reader.remaining > 0 {
            let offset = reader.offset
            let length: UInt8 = try reader.integer("length of a record")
            guard length > 0 else { throw reader.refusal("length of a record", at: offset, "0") }
            let kind: UInt8 = try reader.integer("kind of a record")
            let value = try reader.bytes("record", Int(length) - 1)
            switch (kind, value.count) {
            // Health: a Unix time of four bytes, then the percentage.
            case (0x01, 5): facts.charge = BatteryCharge(percentByte: value[4])
            case (0x05, 2): facts.sensors += [Self.light(value[0]), Self.temperature(value[1])]
            case (0x0A, 1): facts.sensors.append(Self.light(value[0]))
            case (0x0B, 1): facts.sensors.append(Self.temperature(value[0]))
            case (0x0C, 1): facts.charge = BatteryCharge(percentByte: value[0])
            case (0x12, 1): facts.sensors.append(SensorValue("humidity", Double(value[0]), "%"))
            case (0x13, 2): facts.sensors.append(Self.temperature(value[0], value[1]))
            default: break
            }
        }
        self.facts = facts
    }

    private static func light(_ byte: UInt8) -> SensorValue { SensorValue("light", Double(byte), "") }

    private static func temperature(_ whole: UInt8, _ fraction: UInt8 = 0) -> SensorValue {
        SensorValue("temperature", Double(Int8(bitPattern: whole)) + Double(fraction) / 256, "°C")
    }
}
