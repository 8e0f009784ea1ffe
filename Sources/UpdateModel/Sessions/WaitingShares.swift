/// Splits the time between two requests by what it was spent on.
///
/// Packets are queued long before they are on the air, and waiting meanwhile (for a pause, or a packet receipt) costs
/// nothing as long as the air is busy. The next request shows whether it was: after queued packets it takes longer.
struct WaitingShares: Sendable {
    private var waits: [SpeedLimit: Duration] = [:]
    private var hasStreamed = false
    /// Time spent queueing packets, since the last request and since the last wait.
    private var streamed = Duration.zero
    private var streamedLast = Duration.zero
    /// The fastest request without packets queued before it.
    private(set) var quickest: Duration?
    /// Whether there was a request that the device acknowledged.
    private(set) var hasRequests = false

    /// Records that queueing packets took `length`, the time in which the queue was full.
    mutating func stream(for length: Duration) {
        hasStreamed = true
        streamed += length
        streamedLast += length
    }

    /// Records a wait of `length` for `limit`, whether packets are under way or not.
    mutating func wait(_ length: Duration, for limit: SpeedLimit) {
        waits[limit, default: .zero] += length
        streamedLast = .zero
    }

    /// Discards queueing and waiting time that is already recorded.
    mutating func clear() {
        (waits, hasStreamed) = ([:], false)
        (streamed, streamedLast) = (.zero, .zero)
    }

    /// Records a request that was acknowledged after `length`; returns the shares of the time since the last request.
    mutating func request(took length: Duration) -> [SpeedLimit: Duration] {
        defer { clear() }
        hasRequests = true
        guard hasStreamed else {
            quickest = min(quickest ?? length, length)
            return waits.merging([.answers: length], uniquingKeysWith: +)
        }
        let trip = min(quickest ?? .zero, streamed + length)
        var shares: [SpeedLimit: Duration] = [.answers: trip, .air: streamed + length - trip]
        // Any exchange may take one connection event more than the fastest one; an event takes half of `trip`.
        let wasBusy = streamedLast + length > trip + trip / 2
        for (limit, length) in waits { shares[wasBusy ? .air : limit, default: .zero] += length }
        return shares
    }

    /// Records a request without acknowledgement that was answered after `length`, waiting for `limit`. `isShort`: it
    /// was one packet. Returns the shares of this time.
    mutating func unacknowledgedRequest(
        took length: Duration, isShort: Bool, for limit: SpeedLimit
    ) -> [SpeedLimit: Duration] {
        clear()
        if isShort { quickest = min(quickest ?? length, length) }
        let trip = min(quickest ?? length, length)
        return [.answers: trip].merging([limit: length - trip], uniquingKeysWith: +)
    }
}

/// What a session's time is spent on, and so what limits its speed.
public enum SpeedLimit: String, CaseIterable, Sendable {
    /// The link.
    case air
    /// Waiting for the device's flash.
    case flash
    case answers
    case retries
}

/// Splits the time of a block when only its start and its response are known.
///
/// The packets of a block take some connection events, and its response takes the time of a request; the rest is the
/// device's own work, which is its flash. If there were responses to earlier blocks meanwhile, packets were on the air
/// during the time of a request as well.
struct BlockShares: Sendable {
    /// Packets that a controller is assumed to send in one connection event.
    private static let packetsInEvent = 6
    /// Bytes that a controller is assumed to send in one connection event in long packets: three of 244.
    private static let bytesInEvent = 732
    /// The longest air time per byte: that of packets of 27 bytes on LE 1M, as many as fit in an event of 15 ms.
    private static let slowestByte = Duration.microseconds(35)

    private var start: Duration?
    private var packets = 0
    private var bytes = 0
    private var overlaps = false
    /// A response timed out; it may still come.
    private var isOverdue = false

    /// Records `count` packets with `bytes` in total, sent from `moment` on. Returns the time of an earlier block whose
    /// response never came; otherwise zero.
    mutating func left(_ count: Int, of bytes: Int, since moment: Duration) -> Duration {
        let begun = isOverdue ? nil : start
        let lost = isOverdue ? moment - (start ?? moment) : .zero
        if begun == nil { (packets, self.bytes, overlaps) = (0, 0, false) }
        start = begun ?? moment
        packets += count
        self.bytes += bytes
        isOverdue = false
        return lost
    }

    /// Records a response to an earlier block.
    mutating func overlap() { overlaps = true }

    /// Records a timeout of the response.
    mutating func missed() { isOverdue = true }

    /// Records the response at `moment` and returns the shares of the block's time. `trip` is the time of a request
    /// that takes no work: one connection event for the request, and one for the response.
    mutating func answered(at moment: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard let start else { return [:] }
        defer { (self.start, isOverdue) = (nil, false) }
        let length = moment - start
        if overlaps {
            let events = max(
                Double(packets) / Double(Self.packetsInEvent), Double(bytes) / Double(Self.bytesInEvent))
            let air = min(length, trip / 2 * events)
            let answers = max(min(length, trip) - air, .zero)
            return [.answers: answers, .air: air, .flash: length - answers - air]
        }
        let answers = min(length, trip)
        let events = max((packets - 1) / Self.packetsInEvent, (bytes - 1) / Self.bytesInEvent, 0)
        let air = min(length - answers, trip / 2 * events)
        return [.answers: answers, .air: air, .flash: length - answers - air]
    }

    /// Splits the time of sending `bytes` over a channel. It is air time, unless it is longer than two requests and
    /// than the slowest air time of these bytes: then the device gave no credits, because its flash was busy.
    static func handedOver(_ bytes: Int, after length: Duration, trip: Duration) -> [SpeedLimit: Duration] {
        guard length > max(trip * 2, slowestByte * bytes) else { return [.air: length] }
        return [.air: trip, .flash: length - trip]
    }
}
