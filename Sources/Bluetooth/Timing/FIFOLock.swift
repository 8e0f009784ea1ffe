import Synchronization

/// A lock for tasks: the highest priority first, then in the order of arrival.
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

    /// Waits for the lock and takes it; the holder has to call `pass` later. Throws only when the task is cancelled
    /// while it waits. A higher `priority` goes before waiting tasks of a lower one.
    public func take(priority: Int = 0) async throws(CancellationError) {
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
        contention?.settle(())
        guard let turn, await turn.value() == nil else { return }
        state.withLock { $0.waiting.removeAll { $0.turn === turn } }
        throw CancellationError()
    }

    /// Hands the lock to the next task, if there is one.
    public func pass() {
        while let turn = state.withLock({ state -> OneShot<Void>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.isTaken = false
            return nil
        }) {
            // A task that was cancelled just now does not take it.
            if turn.isFirst(()) { return }
        }
    }

    /// For the holder: waits until another task waits for the lock. Returns early only when the task is cancelled.
    public func contention() async {
        let news = OneShot<Void>()
        let isContended = state.withLock { state in
            state.contention = news
            return !state.waiting.isEmpty
        }
        if !isContended { _ = await news.value() }
        state.withLock { $0.contention = nil }
    }
}
