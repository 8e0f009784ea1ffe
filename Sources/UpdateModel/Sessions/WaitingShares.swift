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
