import UpdateCore

/// What the time of a block went into, of which nothing is known but when it began to leave and when it was answered.
///
/// The packets of a block take some connection events, and its answer a request's time; what is left is the device's
/// own, which is its flash.
struct BlockShares: Sendable {
    /// Packets that a controller may be taken to send in one event.
    private static let packetsInEvent = 6

    private var start: Duration?
    private var packets = 0

    /// Until when an answer was waited for that did not come.
    private var missed: Duration?

    /// Packets were handed over from `moment` on. What was waited for an answer that never came is the result.
    mutating func left(_ count: Int, since moment: Duration) -> Duration {
        var lost = Duration.zero
        if let start, missed != nil { lost = moment - start }
        if missed != nil { (start, packets) = (nil, 0) }
        missed = nil
        start = start ?? moment
        packets += count
        return lost
    }

    /// No answer came until `moment`; it may still come.
    mutating func unanswered(at moment: Duration) { missed = moment }

    /// The device has answered at `moment`; `trip` is what a request takes whose answer nobody has to work for: an
    /// event there, and an event back.
    mutating func answered(at moment: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard let start else { return [:] }
        defer { (self.start, packets, missed) = (nil, 0, nil) }
        let answers = min(moment - start, trip)
        let events = (max(packets, 1) - 1) / Self.packetsInEvent
        let air = min(moment - start - answers, trip / 2 * events)
        return [.answers: answers, .air: air, .flash: moment - start - answers - air]
    }

    /// Air time of a byte where packets are short and slow: 27 octets on LE 1M, as many as an event of 15 ms carries.
    private static let slowestByte = Duration.microseconds(35)

    /// What handing `bytes` over to a channel took, which is as long as it had no room for them: events of which each
    /// made some room, unless the device gave no credits for longer than that, and for longer than the air takes.
    static func handedOver(_ bytes: Int, after length: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard length > max(trip * 2, slowestByte * bytes) else { return [.air: length] }
        return [.air: trip, .flash: length - trip]
    }
}
