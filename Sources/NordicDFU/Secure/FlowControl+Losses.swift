/// What losses cost, and which receipt interval costs least.
///
/// Only the last packet before a receipt can be sent again by itself: after any other the device appends what follows, and
/// the object begins again. So the more packets share a receipt, the fewer round trips there are, and the more objects are
/// sent in vain.
extension FlowControl {
    private static let intervals = [1, 2, 4, 8]
    /// Set PRN, and Get CRC three times.
    private static let tripsOfRecovery = 4
    /// Create, Get CRC and Execute.
    private static let tripsOfObject = 3
    /// How long the device may halt for its flash before it answers anything.
    private static let halt = Duration.milliseconds(100)

    /// How long the receipt of `count` packets may take where packets are lost: a round trip for each, although more of them fit
    /// an event, and two more. The device can be asked at any time.
    func receiptDeadline(of count: Int) -> Duration {
        max(Self.halt, pace.erase, (roundTrip ?? Self.shortestRoundTrip) * (count + 2))
    }

    /// The receipt interval that costs least, as often as packets were lost so far.
    var cheapestInterval: Int {
        let rate = Double(losses) / Double(max(packetsSent, losses, 1))
        return Self.intervals.min { cost(of: $0, rate) < cost(of: $1, rate) } ?? 1
    }

    /// What an object costs with a receipt for `interval` packets, in seconds, if each packet is lost with this probability.
    private func cost(of interval: Int, _ rate: Double) -> Double {
        let trip = roundTrip ?? Self.shortestRoundTrip
        let packets = (Self.usualObject + payload - 1) / payload
        let receipts = (packets + interval - 1) / interval
        let undisturbed =
            max(trip * receipts, pace.erase + packetTime * packets) + trip * Self.tripsOfObject
        let recovery = receiptDeadline(of: interval) + trip * Self.tripsOfRecovery
        // That no packet is lost which others follow.
        let succeeds = (receipts..<packets).reduce(1.0) { chance, _ in chance * (1 - rate) }
        guard succeeds > 0 else { return .infinity }
        let lost = Double(receipts) * rate * (recovery / .seconds(1))
        return undisturbed / .seconds(1) + lost
            + (1 / succeeds - 1) * ((undisturbed / 2 + pace.erase + recovery) / .seconds(1))
    }
}
