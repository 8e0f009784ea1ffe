/// Splits the time between two requests.
///
/// Packets are queued long before they are on the air, and waiting meanwhile (a rest, a receipt) costs nothing as
/// long as the air is busy. The next request shows whether it was: queued after packets, it takes longer than
/// otherwise.
struct WaitingShares: Sendable {
    private var waits: [SpeedLimit: Duration] = [:]
    private var hasStreamed = false
    /// Time spent queueing packets, since the last request and since the last wait.
    private var streamed = Duration.zero
    private var streamedLast = Duration.zero
    /// The fastest request without packets queued before it.
    private(set) var quickest: Duration?

    /// Records that queueing packets took `length`, the time without capacity.
    mutating func stream(for length: Duration) {
        hasStreamed = true
        streamed += length
        streamedLast += length
    }

    /// Records a wait of `length` for `limit`, with or without packets under way.
    mutating func wait(_ length: Duration, for limit: SpeedLimit) {
        waits[limit, default: .zero] += length
        streamedLast = .zero
    }

    /// Discards queueing and waiting time that is already booked.
    mutating func settle() {
        (waits, hasStreamed) = ([:], false)
        (streamed, streamedLast) = (.zero, .zero)
    }

    /// A request was acknowledged after `length`: returns the shares of the time since the last one.
    mutating func request(took length: Duration) -> [SpeedLimit: Duration] {
        defer { settle() }
        guard hasStreamed else {
            quickest = min(quickest ?? length, length)
            return waits.merging([.answers: length], uniquingKeysWith: +)
        }
        let trip = min(quickest ?? .zero, streamed + length)
        var shares: [SpeedLimit: Duration] = [.answers: trip, .air: streamed + length - trip]
        // Any exchange may take one event more than the fastest, which is half of that time.
        let wasBusy = streamedLast + length > trip + trip / 2
        for (limit, length) in waits { shares[wasBusy ? .air : limit, default: .zero] += length }
        return shares
    }
}
