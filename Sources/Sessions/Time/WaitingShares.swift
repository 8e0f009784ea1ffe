/// What the time between two requests went into.
///
/// A sender hands packets over long before they are on the air, and what it waits for meanwhile (a rest, a receipt)
/// costs nothing as long as the air is busy. Whether it was shows in the next request: queued after packets it
/// takes longer than one that is not.
struct WaitingShares: Sendable {
    private var waits: [SpeedLimit: Duration] = [:]
    private var hasStreamed = false
    /// How long handing packets over took, since the last request and since the last wait.
    private var streamed = Duration.zero
    private var streamedLast = Duration.zero
    /// The quickest request that no packets were queued before.
    private(set) var quickest: Duration?

    /// Packets were handed over, which took as long as there was no room for them.
    mutating func stream(for length: Duration) {
        hasStreamed = true
        streamed += length
        streamedLast += length
    }

    /// `length` was waited for `limit`, with packets under way or not.
    mutating func wait(_ length: Duration, for limit: SpeedLimit) {
        waits[limit, default: .zero] += length
        streamedLast = .zero
    }

    /// What was handed over and waited for is booked already.
    mutating func settle() {
        (waits, hasStreamed) = ([:], false)
        (streamed, streamedLast) = (.zero, .zero)
    }

    /// A request was acknowledged after `length`: the shares of all that time since the last one.
    mutating func request(took length: Duration) -> [SpeedLimit: Duration] {
        defer { settle() }
        guard hasStreamed else {
            quickest = min(quickest ?? length, length)
            return waits.merging([.answers: length], uniquingKeysWith: +)
        }
        let trip = min(quickest ?? .zero, streamed + length)
        var shares: [SpeedLimit: Duration] = [.answers: trip, .air: streamed + length - trip]
        // Any exchange may take an event more than the quickest, which is half of what that took.
        let wasBusy = streamedLast + length > trip + trip / 2
        for (limit, length) in waits { shares[wasBusy ? .air : limit, default: .zero] += length }
        return shares
    }
}
