package import UpdateModel

/// KKM's sensor frame (beacon-frames.md, KBeacon), service FEAA or company 0A53:
///
///     0  1  21
///     1  2  mask: the fields that it contains
///     3  n  the fields, in the order of their bits; all big-endian
///
/// Documents of the first generation call byte 1 a version, 0 or 1. Read as the mask's upper byte, neither value
/// selects a field, because bit 0100 has none: so the fields are the same either way.
///
/// A truncated field ends the frame; the fields before it count.
package struct KKMSensor: FrameFormat {
    package static let kind = FrameKind("kkm-sensor", of: .kkm)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x21), .manufacturer(0x0A53, 0x21)]

    package let mask: UInt16
    /// The battery in mV; nil if it is not sent or 0.
    package private(set) var millivolts: UInt16?
    package private(set) var values: [SensorValue] = []
    /// Whether it reports tampering or removal; nil if it does not report either state.
    package private(set) var isAlarmed: Bool?
    /// The first generation has no manufacturer data; its fields are voltage, temperature, humidity and acceleration.
    private let isSecondGeneration: Bool
    /// The error that ended a truncated frame; nil for a complete one.
    package private(set) var truncation: FrameError?

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x21)
        mask = try reader.integer("mask")
        isSecondGeneration = reader.company != nil || mask & 0x06F0 != 0
        do throws(FrameError) {
            try readBasics(&reader)
            try readFurther(&reader)
        } catch { truncation = error }
    }

    private mutating func readBasics(_ reader: inout FrameReader) throws(FrameError) {
        if mask & 0x0001 != 0 {
            let voltage: UInt16 = try reader.integer("voltage")
            millivolts = voltage == 0 ? nil : voltage
        }
        try readClimate(&reader)
        guard mask & 0x0008 != 0 else { return }
        for axis in ["acceleration-x", "acceleration-y", "acceleration-z"] {
            let value = Int16(bitPattern: try reader.integer("acceleration"))
            values.append(SensorValue(axis, Double(value), "mg"))
        }
    }

    private mutating func readClimate(_ reader: inout FrameReader) throws(FrameError) {
        var celsius: Double?
        if mask & 0x0002 != 0 {
            let value = try reader.fixedPoint("temperature")
            values.append(SensorValue("temperature", value, "°C"))
            celsius = value
        }
        guard mask & 0x0004 != 0 else { return }
        let humidity = try reader.fixedPoint("humidity")
        if humidity >= 0 {
            values.append(SensorValue("humidity", humidity, "%"))
        } else if let celsius {
            // A negative value is not a humidity: it counts the hundreds of degrees that the temperature field
            // cannot hold.
            let hundreds = -1 - humidity.rounded(.down)
            values = [SensorValue("temperature", celsius + hundreds * 100, "°C")]
        }
    }

    private mutating func readFurther(_ reader: inout FrameReader) throws(FrameError) {
        if mask & 0x0010 != 0 { isAlarmed = try reader.integer("alarm", as: UInt8.self) != 0 }
        if mask & 0x0020 != 0 { try read("pir", "", as: UInt8.self, "PIR", &reader) }
        if mask & 0x0040 != 0 { try read("light", "lx", as: UInt16.self, "light", &reader) }
        if mask & 0x0080 != 0 {
            // The age of the measurement, in steps of 10 s.
            _ = try reader.bytes("age of VOC", 1)
            try read("voc", "", as: UInt16.self, "VOC", &reader)
            try read("nox", "", as: UInt16.self, "NOx", &reader)
        }
        if mask & 0x0200 != 0 {
            _ = try reader.bytes("age of CO2", 1)
            try read("co2", "ppm", as: UInt16.self, "CO2", &reader)
        }
        if mask & 0x0400 != 0 {
            _ = try reader.bytes("records", 1)
            try read("new-records", "", as: UInt16.self, "count of records", &reader)
        }
    }

    private mutating func read<T: FixedWidthInteger & UnsignedInteger>(
        _ name: String, _ unit: String, as type: T.Type, _ field: StaticString, _ reader: inout FrameReader
    ) throws(FrameError) {
        values.append(SensorValue(name, Double(try reader.integer(field, as: type)), unit))
    }

    package var facts: FrameFacts {
        FrameFacts(
            charge: BatteryCharge(millivolts: millivolts.map(Int.init)), sensors: values,
            flags: isAlarmed.map { ["alarm": $0] } ?? [:], flaw: truncation,
            isSecondGeneration: isSecondGeneration)
    }
}
