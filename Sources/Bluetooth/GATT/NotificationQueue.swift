import Synchronization

/// The values of one characteristic that have arrived and were not taken yet, for one consumer.
///
/// It holds at most `capacity` values; if a peer sends faster than they are taken, the oldest are lost.
public final class NotificationQueue: Sendable {
    private struct State: Sendable {
        var values: [[UInt8]] = []
        var isEnded = false
        /// Wakes the consumer.
        var wakeUp: OneShot<Void>?

        mutating func take() -> WaitResult? {
            guard values.isEmpty else { return .value(values.removeFirst()) }
            return isEnded ? .disconnected : nil
        }
    }

    /// The result of a wait for the next value.
    package enum WaitResult: Equatable, Sendable {
        case value([UInt8])
        case timedOut
        /// The link has ended, and the queue is empty.
        case disconnected
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

    private func change(_ body: (inout State) -> Void) {
        let wakeUp = state.withLock { state in
            body(&state)
            return state.wakeUp
        }
        wakeUp?.resolve(())
    }

    /// Removes and returns all values.
    package func drain() -> [[UInt8]] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    package func next(within limit: Duration, by time: Timekeeper) async throws(GATTError) -> WaitResult {
        let wakeUp = OneShot<Void>()
        let early = state.withLock { state -> WaitResult? in
            state.wakeUp = wakeUp
            return state.take()
        }
        if let early { return early }
        let alarm = time.alarm(after: limit) { wakeUp.resolve(nil) }
        defer { alarm.stop() }
        _ = await wakeUp.value()
        guard !Task.isCancelled else { throw .cancelled }
        // A value that arrives together with the deadline is still in the queue.
        return state.withLock { $0.take() } ?? .timedOut
    }
}
