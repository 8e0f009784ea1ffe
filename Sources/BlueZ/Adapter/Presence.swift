import Bluetooth
import Synchronization

/// Whether a controller can be used, and the tasks that wait for that.
final class Presence: Sendable {
    /// Whether the controller can be used, or why not.
    enum Condition: Equatable, Sendable {
        case ready
        /// It is there, but its radio or Low Energy is off.
        case switchedOff
        /// It was pulled out.
        case removed
    }

    private struct State: Sendable {
        var condition = Condition.ready
        var waiting: [OneShot<Void>] = []
    }

    private let state = Mutex(State())

    /// The current condition.
    var condition: Condition { state.withLock { $0.condition } }

    /// Records a change and wakes the waiting tasks.
    func become(_ condition: Condition) {
        let waiting = state.withLock { state -> [OneShot<Void>] in
            guard state.condition != condition else { return [] }
            state.condition = condition
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.settle(()) }
    }

    /// Waits until the controller can be used; returns the blocking condition when `limit` is over.
    func readiness(within limit: Duration, by time: Timekeeper) async throws(CancellationError) -> Condition {
        let deadline = time.now + limit
        while true {
            let change = OneShot<Void>()
            let condition = state.withLock { state in
                if state.condition != .ready { state.waiting.append(change) }
                return state.condition
            }
            guard condition != .ready, time.now < deadline else { return condition }
            do { _ = try await time.within(deadline - time.now) { await change.value() } } catch {
                throw CancellationError()
            }
            guard !Task.isCancelled else { throw CancellationError() }
        }
    }
}
