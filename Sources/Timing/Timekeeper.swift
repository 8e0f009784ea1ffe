/// Where a driver's time comes from: a clock whose kind the driver need not know.
///
/// Moments are durations since the keeper was made. The program runs on the continuous clock, tests
/// on a clock that jumps; values never see either, time is an argument to them.
public struct Timekeeper: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Time as `clock` tells it, from now on.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The present moment.
    public var now: Duration { read() }

    /// Suspends until `moment`; throws only when the task is cancelled.
    public func sleep(until moment: Duration) async throws(CancellationError) {
        do { try await wait(moment) } catch { throw CancellationError() }
    }

    /// Suspends for `length`; throws only when the task is cancelled.
    public func sleep(for length: Duration) async throws(CancellationError) {
        try await sleep(until: now + length)
    }
}
