import Glibc

/// How far a beacon seems to be, by how loud it is heard and how loud it would be at 1 m.
///
/// The log-distance path loss model with the exponent 2 of free space: d = 10^((P − RSSI) / 20), with P the power at 1 m.
/// Walls, bodies and metal make it wrong by a factor of two or more; it sorts, it does not measure.
public struct DistanceEstimate: Hashable, Sendable {
    /// Apple's words for distances.
    public enum Proximity: String, CaseIterable, Sendable {
        /// Up to half a metre.
        case immediate
        /// Up to three metres.
        case near
        /// Farther away.
        case far
    }

    /// In metres.
    public let metres: Double

    /// The estimate for `rssi` dBm from a beacon that is heard with `measuredPower` dBm at 1 m; nil where a loudness is
    /// none: a receiver has no reading of 0 dBm or above.
    public init?(rssi: Int8, measuredPower: Int8) {
        guard rssi < 0, measuredPower < 0 else { return nil }
        metres = pow(10, Double(Int(measuredPower) - Int(rssi)) / 20)
    }

    /// The word for it.
    public var proximity: Proximity {
        if metres <= 0.5 { return .immediate }
        return metres <= 3 ? .near : .far
    }
}
