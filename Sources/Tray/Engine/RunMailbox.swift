import Bluetooth
import Firmware
import Synchronization
import UpdateEngine
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

/// Carries facts from the units' updates to the run coordinator, and permissions to connect back.
final class RunMailbox: Sendable {
    enum Message: Sendable {
        case fact(TrayFact)
        case heard(Advertisement, by: AdapterNumber)
        case control(TrayControl)
        /// A step is about to change the unit.
        case changes(UnitNumber, DeviceChange)
        /// An attempt has ended, and this says whether the unit may run the new firmware.
        case mayBeInstalled(UnitNumber, Bool)
        /// The unit's adapter is gone.
        case left(UnitNumber, UnitRecord)
        case ended(UnitNumber, UnitRecord)
        case broken(any Error)
    }

    let messages: AsyncStream<Message>
    private let inbox: AsyncStream<Message>.Continuation
    private typealias Permit = OneShot<Result<ConnectionPlan, AdapterError>>
    private let permits = Mutex<[UnitNumber: Permit]>([:])
    private let claims = Mutex<[DeviceAddress: UnitNumber]>([:])

    init() { (messages, inbox) = AsyncStream.makeStream(of: Message.self) }

    func send(_ message: Message) { inbox.yield(message) }

    /// Sends `fact`, a request for a link, and waits for the permission.
    func permit(for unit: UnitNumber, after fact: TrayFact) async throws(AdapterError) -> ConnectionPlan {
        let permit = Permit()
        permits.withLock { $0[unit] = permit }
        send(.fact(fact))
        guard let answer = await permit.value() else { throw .cancelled }
        return try answer.get()
    }

    func answer(_ unit: UnitNumber, _ answer: Result<ConnectionPlan, AdapterError>) {
        permits.withLock { $0.removeValue(forKey: unit) }?.resolve(answer)
    }

    /// Reserves an address for one unit of the tray until it ends; returns the owner if another unit has it.
    func claim(_ address: DeviceAddress, for unit: UnitNumber) -> UnitNumber? {
        claims.withLock { claims in
            if let owner = claims[address], owner != unit { return owner }
            claims[address] = unit
            return nil
        }
    }

    func releaseClaims(of unit: UnitNumber) {
        claims.withLock { claims in claims = claims.filter { $0.value != unit } }
    }
}
