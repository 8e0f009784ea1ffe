import Synchronization

/// The values of one characteristic that arrived and were not taken yet. One consumer.
///
/// Bounded: a peer that sends too fast loses its oldest values.
public final class NotificationQueue: Sendable {
    private struct State: Sendable {
        var values: [[UInt8]] = []
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Counts the waits, so that an old deadline cannot end a later one.
        var wait: UInt64 = 0
        var isOverdue = false

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    package enum Arrival: Equatable, Sendable {
        case value([UInt8])
        case timedOut
        /// No further values: the link has ended.
        case ended
    }

    package static let capacity = 256

    private let state = Mutex(State())

    package init() {}

    package func put(_ value: [UInt8]) {
        change { state in
            if state.values.count == Self.capacity { state.values.removeFirst() }
            state.values.append(value)
        }
    }

    package func end() { change { $0.isEnded = true } }

    /// Changes the state, and wakes the consumer.
    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    package func drain() -> [[UInt8]] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    package func next(within limit: Duration, by time: Timekeeper) async throws(GATTError) -> Arrival {
        if let arrival = take() { return arrival }
        let wait = state.withLock { state in
            state.wait += 1
            state.isOverdue = false
            return state.wait
        }
        let alarm = time.alarm(after: limit) { [self] in end(wait) }
        defer { alarm.stop() }
        await self.arrival()
        guard !Task.isCancelled else { throw .cancelled }
        // A value that arrives together with the deadline is still in the queue.
        return take() ?? .timedOut
    }

    private func end(_ wait: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.wait == wait else { return nil }
            state.isOverdue = true
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    private func take() -> Arrival? {
        state.withLock { state in
            if !state.values.isEmpty { return .value(state.values.removeFirst()) }
            return state.isEnded ? .ended : nil
        }
    }

    /// Returns when a value has arrived, when none can or it is too late, or when the task is cancelled.
    private func arrival() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    guard state.values.isEmpty, !state.isEnded, !state.isOverdue, !Task.isCancelled else {
                        return true
                    }
                    state.waiter = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeWaiter() }?.resume()
        }
    }
}
