import Synchronization

/// Lets tasks take turns, in the order in which they came.
public final class Turns: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var waiting: [(ticket: UInt64, waiter: CheckedContinuation<Bool, Never>)] = []
        var nextTicket: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The turn is free.
    public init() {}

    /// Waits for the turn and takes it; it has to be passed on. Throws only when the task is cancelled while
    /// it waits.
    public func take() async throws(CancellationError) {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let isOurs = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isFree = state.withLock { state in
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append((ticket, waiter))
                    return false
                }
                if isFree { waiter.resume(returning: true) } else if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
        guard isOurs else { throw CancellationError() }
    }

    /// Hands the turn to the next, if there is one.
    public func pass() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().waiter }
            state.isTaken = false
            return nil
        }
        next?.resume(returning: true)
    }

    private func leave(_ ticket: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            let place = state.waiting.firstIndex { $0.ticket == ticket }
            return place.map { state.waiting.remove(at: $0).waiter }
        }
        waiter?.resume(returning: false)
    }
}
