/// Splits the time of a block when only its start and its response are known.
///
/// The packets of a block take some connection events, and its response takes the time of a request; the rest is the
/// device's own work, which is its flash.
struct BlockShares: Sendable {
    /// Packets that a controller is assumed to send in one event.
    private static let packetsInEvent = 6
    /// Air time per byte for short and slow packets: 27 octets on LE 1M, as many as fit in an event of 15 ms.
    private static let slowestByte = Duration.microseconds(35)

    private var start: Duration?
    private var packets = 0
    /// A response timed out; it may still come.
    private var isOverdue = false

    /// Records packets sent from `moment` on. Returns the time of an earlier block whose response never came.
    mutating func left(_ count: Int, since moment: Duration) -> Duration {
        let begun = isOverdue ? nil : start
        let lost = isOverdue ? moment - (start ?? moment) : .zero
        (start, packets) = (begun ?? moment, (begun == nil ? 0 : packets) + count)
        isOverdue = false
        return lost
    }

    /// Records a timeout of the response.
    mutating func missed() { isOverdue = true }

    /// Records the response at `moment`; `trip` is the time of a request that takes no work: an event there, and an
    /// event back.
    mutating func answered(at moment: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard let start else { return [:] }
        defer { (self.start, packets, isOverdue) = (nil, 0, false) }
        let answers = min(moment - start, trip)
        let events = (max(packets, 1) - 1) / Self.packetsInEvent
        let air = min(moment - start - answers, trip / 2 * events)
        return [.answers: answers, .air: air, .flash: moment - start - answers - air]
    }

    /// Splits the time of sending `bytes` over a channel, which is the time without capacity. These are events that
    /// each freed some capacity, unless the device gave no credits for longer than that, and longer than the air
    /// time.
    static func handedOver(_ bytes: Int, after length: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard length > max(trip * 2, slowestByte * bytes) else { return [.air: length] }
        return [.air: trip, .flash: length - trip]
    }
}
