import Bluetooth
import Synchronization

/// Why a unit ends before its update does.
enum StopReason: Hashable, Sendable {
    /// The schedule has given it up.
    case givenUp(GiveUpReason)
    /// The tray is held, and is not released in this session.
    case held(TrayRecord.Hold)
    /// The operator has skipped the unit.
    case skipped
    /// The run is aborted.
    case aborted
}

/// Tells a task to end, and why; also the tasks of several attempts, one after the other. The first reason counts.
final class StopToken<Reason: Sendable>: Sendable {
    private struct State: Sendable {
        var reason: Reason?
        /// Wakes the task that currently observes it.
        var signal: OneShot<Void>?
    }

    private let state = Mutex(State())

    /// The reason; nil while the task may continue.
    var reason: Reason? { state.withLock { $0.reason } }

    func stop(_ reason: Reason) {
        let signal = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.signal
        }
        signal?.settle(())
    }

    /// Runs `body` and cancels it when a stop is requested; returns when it has ended.
    func run(_ body: @escaping @Sendable () async -> Void) async {
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
