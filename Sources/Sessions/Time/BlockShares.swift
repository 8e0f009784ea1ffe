/// What the time of a block went into, of which nothing is known but when it began to leave and when it was answered.
///
/// The packets of a block take some connection events, and its answer a request's time; what is left is the device's
/// own, which is its flash.
struct BlockShares: Sendable {
    /// Packets that a controller may be taken to send in one event.
    private static let packetsInEvent = 6
    /// Air time of a byte where packets are short and slow: 27 octets on LE 1M, as many as an event of 15 ms carries.
    private static let slowestByte = Duration.microseconds(35)

    private var start: Duration?
    private var packets = 0
    /// No answer came in time; it may still come.
    private var isOverdue = false

    /// Packets were handed over from `moment` on. The result is what went into a block before them whose answer never
    /// came.
    mutating func left(_ count: Int, since moment: Duration) -> Duration {
        let begun = isOverdue ? nil : start
        let lost = isOverdue ? moment - (start ?? moment) : .zero
        (start, packets) = (begun ?? moment, (begun == nil ? 0 : packets) + count)
        isOverdue = false
        return lost
    }

    /// No answer came in time.
    mutating func missed() { isOverdue = true }

    /// The device has answered at `moment`; `trip` is what a request takes whose answer nobody has to work for: an
    /// event there, and an event back.
    mutating func answered(at moment: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard let start else { return [:] }
        defer { (self.start, packets, isOverdue) = (nil, 0, false) }
        let answers = min(moment - start, trip)
        let events = (max(packets, 1) - 1) / Self.packetsInEvent
        let air = min(moment - start - answers, trip / 2 * events)
        return [.answers: answers, .air: air, .flash: moment - start - answers - air]
    }

    /// What handing `bytes` over to a channel took, which is as long as it had no room for them: events of which each
    /// made some room, unless the device gave no credits for longer than that, and for longer than the air takes.
    static func handedOver(_ bytes: Int, after length: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard length > max(trip * 2, slowestByte * bytes) else { return [.air: length] }
        return [.air: trip, .flash: length - trip]
    }
}
