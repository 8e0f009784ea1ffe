import Synchronization

/// A clock that stands still until a task sleeps, and then jumps to the deadline.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var time: Duration
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
    }

    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(time: time.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        pass(until: deadline.time)
        await Task.yield()
    }

    func pass(until moment: Duration) { time.withLock { $0 = max($0, moment) } }
}
