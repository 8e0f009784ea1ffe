/// AprilBrother's ASensor, company 00D2 together with the service FEF5 (beacon-frames.md, ASensor):
///
///     0  6  address, in printed order
///     6  1  firmware version
///     7  1  temperature in °C, signed
///     8  1  1: moving
///     9  3  acceleration x, y, z, signed; the unit is not published
///     12 1  how long the current state of motion has lasted, in s
///     13 1  how long the previous one lasted, in s
///     14 1  battery in percent
///     15 1  power at 1 m in dBm, signed
package struct ASensor: Equatable, Sendable {
    /// As text.
    package let address: String
    /// The firmware version.
    package let version: UInt8
    /// Its measured values.
    package let values: [SensorValue]
    /// Whether it moves.
    package let isMoving: Bool
    /// 0 to 100.
    package let percent: Int
    /// In dBm, at 1 m.
    package let measuredPower: Int8

    /// Parses the frame; throws unless it has 16 bytes.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .aSensor)
        address = try reader.address("address")
        version = try reader.integer("firmware")
        var values = [SensorValue("temperature", Double(try reader.signed("temperature")), "°C")]
        isMoving = try reader.integer("moving", as: UInt8.self) != 0
        for axis in ["acceleration-x", "acceleration-y", "acceleration-z"] {
            values.append(SensorValue(axis, Double(try reader.signed("acceleration")), ""))
        }
        for name in ["current-motion", "last-motion"] {
            values.append(SensorValue(name, Double(try reader.integer("motion", as: UInt8.self)), "s"))
        }
        self.values = values
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        measuredPower = try reader.signed("measured power")
        try reader.end(of: "frame")
    }

    var facts: FrameFacts {
        FrameFacts(
            model: "ASensor", id: address, version: "\(version)", charge: BatteryCharge(percent: percent),
            measuredPower: measuredPower, sensors: values, flags: ["moving": isMoving])
    }
}
