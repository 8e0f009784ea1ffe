import Synchronization
import Timing
import Tray

/// Why a unit's turn ends before its update does.
enum StopReason: Hashable, Sendable {
    /// The schedule has given it up.
    case givenUp(GiveUpReason)
    /// The tray is held, and is not released in this session.
    case held(TrayRecord.Hold)
    /// A person has left the unit out.
    case skipped
    /// The run is ended.
    case aborted
}

/// Tells a task to end, and why; the tasks of several attempts, one after the other. The first reason stands.
final class StopToken<Reason: Sendable>: Sendable {
    private struct State: Sendable {
        var reason: Reason?
        /// Wakes the task that heeds it now.
        var signal: OneShot<Void>?
    }

    private let state = Mutex(State())

    /// The reason; nil while it may go on.
    var reason: Reason? { state.withLock { $0.reason } }

    func stop(_ reason: Reason) {
        let signal = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.signal
        }
        signal?.settle(())
    }

    /// Runs `body`, which is cancelled when the sign is given; returns when it has ended.
    func obeying(_ body: @escaping @Sendable () async -> Void) async {
        let signal = OneShot<Void>()
        let isGiven = state.withLock { state in
            state.signal = signal
            return state.reason != nil
        }
        if isGiven { signal.settle(()) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body() }
            group.addTask { _ = await signal.value() }
            for await _ in group { group.cancelAll() }
        }
    }
}
