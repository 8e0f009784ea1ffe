/// The cost of losses, and the receipt interval with the lowest cost.
///
/// Only the last packet before a receipt can be sent again by itself: after any other lost packet the device appends
/// what follows, and the object has to be sent again. So a longer interval needs fewer round trips, but more objects
/// are sent in vain.
extension FlowControl {
    private static let intervals = [1, 2, 4, 8]
    /// Set PRN, and Get CRC three times.
    private static let tripsOfRecovery = 4
    /// Create, Get CRC and Execute.
    private static let tripsOfObject = 3
    /// How long the device may pause for its flash before it responds.
    private static let halt = Duration.milliseconds(100)

    /// How long the receipt of `count` packets may take on a lossy link: a round trip for each, although an event can
    /// hold more, and two more. The device can be asked at any time.
    func receiptDeadline(of count: Int) -> Duration {
        max(Self.halt, pace.erase, (roundTrip ?? Self.shortestRoundTrip) * (count + 2))
    }

    /// The receipt interval with the lowest cost at the loss rate so far.
    var cheapestInterval: Int {
        let rate = Double(losses) / Double(max(packetsSent, losses, 1))
        return Self.intervals.min { cost(of: $0, rate) < cost(of: $1, rate) } ?? 1
    }

    /// The cost in seconds of an object with a receipt every `interval` packets, if each packet is lost with this
    /// probability.
    private func cost(of interval: Int, _ rate: Double) -> Double {
        let trip = roundTrip ?? Self.shortestRoundTrip
        let packets = (Self.usualObject + payload - 1) / payload
        let receipts = (packets + interval - 1) / interval
        let undisturbed =
            max(trip * receipts, pace.erase + packetTime * packets) + trip * Self.tripsOfObject
        let recovery = receiptDeadline(of: interval) + trip * Self.tripsOfRecovery
        // The probability that no packet is lost except a last one before a receipt.
        let succeeds = (receipts..<packets).reduce(1.0) { chance, _ in chance * (1 - rate) }
        guard succeeds > 0 else { return .infinity }
        let lost = Double(receipts) * rate * (recovery / .seconds(1))
        return undisturbed / .seconds(1) + lost
            + (1 / succeeds - 1) * ((undisturbed / 2 + pace.erase + recovery) / .seconds(1))
    }
}
