import Bluetooth
import Synchronization
import UpdateModel

enum StopReason: Hashable, Sendable {
    case givenUp(GiveUpReason)
    /// The tray is held and will not be released in this session.
    case held(TrayRecord.Hold)
    case skipped
    case aborted
}

extension StopReason {
    func verdict(_ rules: ScheduleRules) -> UnitVerdict {
        func time(_ limit: Duration?) -> String { "\(Int((limit ?? .zero) / .seconds(1))) s" }
        return switch self {
        case .givenUp(.unitTime):
            UnitVerdict(
                .failed, code: .tray.unitTime, during: "updating the unit",
                message: "it exceeded the time limit of \(time(rules.unitTime)) for a unit")
        case .givenUp(.trayTime):
            UnitVerdict(
                .aborted, code: .tray.trayTime, during: "running the tray",
                message: "the tray exceeded its time limit of \(time(rules.trayTime))")
        case .givenUp(.notHeard):
            UnitVerdict(
                .failed, code: .device.deviceNotFound, during: "looking for the unit",
                message: "no adapter has heard it for \(time(rules.search)) or more")
        case .givenUp(.noAdapter):
            UnitVerdict(
                .error, code: .system.noAdapter, during: "running the tray", message: "no adapter is left")
        case .held(let hold):
            UnitVerdict(
                .aborted, code: FailureCode(named: hold.code), during: "running the tray",
                message: "not begun: \(hold.message)")
        case .givenUp(.stopped), .aborted:
            UnitVerdict(
                .aborted, code: .system.interrupted, during: "running the tray",
                message: "the run was stopped")
        case .skipped:
            UnitVerdict(
                .skipped, code: .tray.skipped, during: "running the tray", message: "skipped by the operator")
        }
    }
}

/// Tells a task to end, and why. The tasks of a unit's attempts share one token. The first reason counts.
final class StopToken<Reason: Sendable>: Sendable {
    private struct State: Sendable {
        var reason: Reason?
        var signal: OneShot<Void>?
    }

    private let state = Mutex(State())

    var reason: Reason? { state.withLock { $0.reason } }

    func stop(_ reason: Reason) {
        let signal = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.signal
        }
        signal?.resolve(())
    }

    /// Runs `body` and cancels it when a stop is requested; returns when it has ended.
    func run(_ body: @escaping @Sendable () async -> Void) async {
        let signal = OneShot<Void>()
        let isGiven = state.withLock { state in
            state.signal = signal
            return state.reason != nil
        }
        if isGiven { signal.resolve(()) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body() }
            group.addTask { _ = await signal.value() }
            for await _ in group { group.cancelAll() }
        }
    }
}
