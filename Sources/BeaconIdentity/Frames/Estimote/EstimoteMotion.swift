/// Subframe A of Estimote's telemetry (beacon-frames.md, Estimote); offsets in the frame:
///
///     10 3  acceleration x, y, z, each signed, in 2/127 g
///     15 1  low two bits: 1 is moving; bits 2 and 3 from version 2 on: errors of firmware and clock
///     16 1  low two bits in version 1: errors of firmware and clock
///     16 4  from version 2 on: pressure in Pa / 256, little-endian; all ones are unknown
public struct EstimoteMotion: Equatable, Sendable {
    /// Whether it moves.
    public let isMoving: Bool
    /// Nil in version 0, which has them in subframe B.
    public let errors: EstimoteErrors?
    /// What it has measured.
    public let values: [SensorValue]

    /// `bytes`: ten, from offset 10 on.
    init(_ bytes: [UInt8], _ protocolVersion: UInt8) {
        isMoving = bytes[5] & 3 == 1
        errors =
            switch protocolVersion {
            case 0: nil
            case 1: EstimoteErrors(bytes[6], at: 0)
            default: EstimoteErrors(bytes[5], at: 2)
            }
        var values = zip(["acceleration-x", "acceleration-y", "acceleration-z"], bytes).map {
            SensorValue($0, Double(Int8(bitPattern: $1)) * 2 / 127, "g")
        }
        let pressure = bytes[6..<10].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if protocolVersion >= 2, pressure != .max {
            values.append(SensorValue("pressure", Double(pressure) / 256, "Pa"))
        }
        self.values = values
    }

    var facts: FrameFacts {
        FrameFacts(sensors: values, flags: (errors?.flags ?? [:]).merging(["moving": isMoving]) { $1 })
    }
}
