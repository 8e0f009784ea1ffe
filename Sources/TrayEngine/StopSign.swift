import Synchronization
import Timing
import Tray

/// Why a unit's turn ends before its update does.
enum TurnStop: Hashable, Sendable {
    /// The schedule has given it up.
    case givenUp(GiveUpReason)
    /// The tray is held, and is not released in this session.
    case held(TrayRecord.Hold)
    /// A person has left the unit out.
    case skipped
    /// The run is ended.
    case aborted
}

/// Tells one task to end, and why. The first reason stands.
final class StopSign<Reason: Sendable>: Sendable {
    private let given = Mutex<Reason?>(nil)
    private let signal = OneShot<Void>()

    /// The reason; nil while it may go on.
    var reason: Reason? { given.withLock { $0 } }

    func stop(_ reason: Reason) {
        given.withLock { $0 = $0 ?? reason }
        signal.settle(())
    }

    /// Runs `body`, which is cancelled when the sign is given; returns when it has ended.
    func heeding(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body()
                return true
            }
            group.addTask { [signal] in
                await signal.value()
                return false
            }
            for await _ in group { group.cancelAll() }
        }
    }
}
