import Synchronization

/// A lock for tasks. The waiting task with the highest priority gets it next; among equals, the one that came first.
public final class FIFOLock: Sendable {
    private struct State: Sendable {
        var isTaken = false
        /// In the order in which they get the lock.
        var waiting: [(priority: Int, turn: OneShot<Void>)] = []
        /// Notifies the holder that another task waits.
        var contention: OneShot<Void>?
    }

    private let state = Mutex(State())

    public init() {}

    /// Waits for the lock and acquires it; the holder has to call `release` later. Throws only when the task is cancelled
    /// while it waits. A higher `priority` goes before waiting tasks of a lower one.
    public func acquire(priority: Int = 0) async throws(CancellationError) {
        let (turn, contention) = state.withLock { state -> (OneShot<Void>?, OneShot<Void>?) in
            guard state.isTaken else {
                state.isTaken = true
                return (nil, nil)
            }
            let turn = OneShot<Void>()
            let place = state.waiting.firstIndex { $0.priority < priority } ?? state.waiting.endIndex
            state.waiting.insert((priority, turn), at: place)
            return (turn, state.contention)
        }
        contention?.resolve(())
        guard let turn, await turn.value() == nil else { return }
        state.withLock { $0.waiting.removeAll { $0.turn === turn } }
        throw CancellationError()
    }

    /// Passes the lock to the next waiting task, if there is one.
    public func release() {
        while let turn = state.withLock({ state -> OneShot<Void>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.isTaken = false
            return nil
        }) {
            // A task that was cancelled just now does not get it.
            if turn.resolveFirst(()) { return }
        }
    }

    /// For the holder: waits until another task waits for the lock. Returns early only when the task is cancelled.
    public func contention() async {
        let arrival = OneShot<Void>()
        let isContended = state.withLock { state in
            state.contention = arrival
            return !state.waiting.isEmpty
        }
        if !isContended { _ = await arrival.value() }
        state.withLock { $0.contention = nil }
    }
}
