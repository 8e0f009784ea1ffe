import Bluetooth
package import UpdateModel

/// AprilBrother's ASensor, company 00D2 together with the service FEF5 (beacon-frames.md, ASensor):
///
///     0  6  address, in the order of its text form
///     6  1  firmware version
///     7  1  temperature in °C, signed
///     8  1  1: moving
///     9  3  acceleration x, y, z, signed; the unit is not published
///     12 1  how long the current state of motion has lasted, in s
///     13 1  how long the previous one lasted, in s
///     14 1  battery in percent
///     15 1  power at 1 m in dBm, signed
package struct ASensor: FrameFormat {
    package static let kind = FrameKind("asensor", of: .aSensor)
    package static let places: [FramePlace] = [.manufacturer(0x00D2, withService: BluetoothUUID(0xFEF5))]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        var facts = FrameFacts(model: "ASensor")
        facts.id = try reader.address("address")
        facts.version = "\(try reader.integer("firmware", as: UInt8.self))"
        facts.sensors = [SensorValue("temperature", Double(try reader.signed("temperature")), "°C")]
        facts.flags = ["moving": try reader.integer("moving", as: UInt8.self) != 0]
        for axis in ["acceleration-x", "acceleration-y", "acceleration-z"] {
            facts.sensors.append(SensorValue(axis, Double(try reader.signed("acceleration")), ""))
        }
        for name in ["current-motion", "last-motion"] {
            facts.sensors.append(SensorValue(name, Double(try reader.integer("motion", as: UInt8.self)), "s"))
        }
        facts.charge = BatteryCharge(percent: try reader.percent("battery"))
        facts.measuredPower = try reader.signed("measured power")
        try reader.end(of: "frame")
        self.facts = facts
    }

    /// Nil for data that has not exactly 16 bytes: company 00D2 is not AprilBrother's.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        advert.bytes.count == 16 ? try ASensor(parsing: advert.bytes).facts : nil
    }
}

extension Maker {
    package static let aprilBrother = Maker(
        "aprilbrother", "AprilBrother",
        MakerSupport(
            "asensor", title: "AprilBrother ASensor",
            [
                .scan: .proven([.document, .simulated]), .query: .proven([.document, .simulated]),
                .settingsRead: .notPublic, .settingsWritten: .notPublic,
                .updated: .proven([.document, .simulated, .peripheral]),
            ],
            gaps: [
                MakerSupport.Gap(
                    "settings", needed: "the maker's description, or a recording of its application")
            ]))
}

extension Family {
    package static let aSensor = Family("asensor", of: .aprilBrother, [.version, .id])
}
