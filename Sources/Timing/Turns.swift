import Synchronization

/// Lets tasks take turns, in the order in which they came.
public final class Turns: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The turn is free.
    public init() {}

    /// Waits for the turn and takes it. Whoever has it holds it for a bounded time, so that this wait needs no
    /// deadline and no cancellation of its own.
    public func take() async {
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(waiter)
                return false
            }
            if isFree { waiter.resume() }
        }
    }

    /// Hands the turn to the next, if there is one.
    public func pass() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
