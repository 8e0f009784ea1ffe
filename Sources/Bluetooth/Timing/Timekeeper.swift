/// The clock of drivers: the time of the program's event loop, or virtual time in tests.
///
/// Moments are durations since the clock was created. Value types take time as an argument instead.
public struct Timekeeper: Sendable {
    /// Called at a moment, unless the alarm is stopped before.
    public typealias Ring = @Sendable () -> Void

    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void
    private let set: @Sendable (Duration, @escaping Ring) -> Alarm

    /// Time from three functions: reading the present moment, sleeping until a moment, and setting an alarm.
    public init(
        reading read: @escaping @Sendable () -> Duration,
        waiting wait: @escaping @Sendable (Duration) async throws -> Void,
        setting set: @escaping @Sendable (Duration, @escaping Ring) -> Alarm
    ) {
        (self.read, self.wait, self.set) = (read, wait, set)
    }

    /// Time of `clock`, from now on.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        let wait: @Sendable (Duration) async throws -> Void = {
            try await clock.sleep(until: start.advanced(by: $0), tolerance: nil)
        }
        self.init(reading: { start.duration(to: clock.now) }, waiting: wait) { moment, ring in
            let task = Task { if (try? await wait(moment)) != nil { ring() } }
            return Alarm { task.cancel() }
        }
    }

    public var now: Duration { read() }

    /// Suspends until `moment`; throws only when the task is cancelled.
    public func sleep(until moment: Duration) async throws(CancellationError) {
        do { try await wait(moment) } catch { throw CancellationError() }
    }

    public func sleep(for length: Duration) async throws(CancellationError) {
        try await sleep(until: now + length)
    }

    /// Calls `ring` when `length` has passed; a deadline without a task of its own.
    public func alarm(after length: Duration, _ ring: @escaping Ring) -> Alarm { set(now + length, ring) }
}

/// A call that is scheduled for a moment.
public struct Alarm: Sendable {
    private let end: @Sendable () -> Void

    /// An alarm that `end` cancels.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Cancels the alarm. It may be firing on another thread at this very moment: the called code must check whether
    /// the alarm still matters.
    public func stop() { end() }
}

extension Timekeeper {
    /// The result of `body` within `limit`, or nil if it takes longer.
    ///
    /// `body` is cancelled when time runs out, so it has to respond to cancellation. The call returns only
    /// after `body` has.
    public func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// Adds up the lengths of several periods, the last of which may be in progress.
package struct Stopwatch: Sendable {
    private var ended = Duration.zero
    private var since: Duration?

    package init() {}

    package var isRunning: Bool { since != nil }

    package func length(at now: Duration) -> Duration { ended + (since.map { now - $0 } ?? .zero) }

    /// Begins a period, unless one is in progress.
    package mutating func begin(at now: Duration) { since = since ?? now }

    package mutating func end(at now: Duration) {
        ended = length(at: now)
        since = nil
    }
}
