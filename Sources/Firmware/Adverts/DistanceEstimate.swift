import Glibc

/// The distance of a beacon, estimated from its signal strength and that at 1 m.
///
/// The log-distance path loss model with the exponent 2 of free space: d = 10^((P − RSSI) / 20), with P the
/// power at 1 m. Walls, bodies and metal make it wrong by a factor of two or more: use it for sorting, not for
/// measuring.
package struct DistanceEstimate: Hashable, Sendable {
    /// Apple's terms for distances.
    package enum Proximity: String, CaseIterable, Sendable {
        /// Up to half a metre.
        case immediate
        /// Up to three metres.
        case near
        /// Farther away.
        case far
    }

    package let metres: Double

    /// The estimate for `rssi` dBm from a beacon with `measuredPower` dBm at 1 m; nil if a value is invalid:
    /// receivers report no reading of 0 dBm or above.
    package init?(rssi: Int8, measuredPower: Int8) {
        guard rssi < 0, measuredPower < 0 else { return nil }
        metres = pow(10, Double(Int(measuredPower) - Int(rssi)) / 20)
    }

    package var proximity: Proximity {
        if metres <= 0.5 { return .immediate }
        return metres <= 3 ? .near : .far
    }
}
