import PacketSockets
import Stations
import Synchronization
import Timing
import Tray
import TrayEngine
import TrayJournal
import UpdateCore
import UpdateEngine
import WorkOrders

/// A run's claims and results, while it goes on.
struct WorkDesk: Sendable {
    let work: TrayWork
    let keeper: ClaimKeeper
    let courier: ResultCourier
    private let run: JournalledRun
    private let lever = Lever()

    /// Holds the run while no claim covers what comes next, and lets it go on by itself.
    private final class Lever: Sendable {
        private struct State: Sendable {
            var hand: (@Sendable (TrayControl) -> Void)?
            var isHeld = false
        }

        private let state = Mutex(State())

        func take(_ hand: @escaping @Sendable (TrayControl) -> Void) { state.withLock { $0.hand = hand } }

        func note(_ news: ClaimKeeper.News) {
            switch news {
            case .unanswered(let failure, let left?, _) where left < ClaimKeeper.stepTime * 2:
                state.withLock { state in
                    guard !state.isHeld else { return }
                    state.isHeld = true
                    state.hand?(.hold(.claimsEnd(failure.message)))
                }
            case .answered:
                state.withLock { state in
                    if state.isHeld { state.hand?(.letGo(.claimsEnd(""))) }
                    state.isHeld = false
                }
            case .unanswered, .lost, .renewed: break
            }
        }
    }

    /// So long a run waits for the engine after its last unit.
    private static let patience = Duration.seconds(40)
    /// How often it is looked at whether the order is held, or given up.
    private static let glance = Duration.seconds(15)

    /// Nil for a bench on its own.
    init?(
        _ work: TrayWork, _ run: JournalledRun, time: Timekeeper,
        telling tell: @escaping @Sendable (WorkNews) -> Void
    ) {
        guard let station = work.station else { return nil }
        self.work = work
        self.run = run
        let catalogue = work.catalogue
        let identity = StationIdentity(
            name: station, incarnation: run.journal.incarnation, machine: StationResults.machine)
        keeper = ClaimKeeper(
            work.source, lease: work.lease, time: time.paced(work.pace), clock: { work.now },
            report: { [lever] news in
                lever.note(news)
                tell(.claims(news))
            })
        courier = ResultCourier(
            from: run.journal, to: work.source, time: time.paced(work.pace),
            report: { last, waiting, since in
                StationReport(
                    identity, program: BeaconDFU.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, catalogue: catalogue, clock: .now)
            }, telling: { tell(.results($0)) })
    }

    /// Keeps what was claimed, and writes it down.
    func keep(_ share: TrayWork.Share) async throws {
        let boot = MachineClock.boot ?? ""
        var records: [ClaimRecord] = []
        for (slot, grant) in share.grants {
            let lease = Lease(askedAt: share.asked, for: grant.lease)
            keeper.keep(grant.claim, in: slot, lease: lease)
            records.append(
                ClaimRecord(
                    slot: slot, order: grant.claim.order, unit: grant.claim.key, epoch: grant.claim.epoch,
                    boot: boot, leaseEnd: lease.end.map { Int64($0 / .milliseconds(1)) }))
        }
        try await run.note(records)
    }

    /// What `body` gives, while claims are kept up, results handed in, and the order is watched; then waits for the engine a while. What it
    /// has not got by then waits in the journal.
    func beside<Value: Sendable>(
        controlling hand: @escaping @Sendable (TrayControl) -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let time = try EventLoop.shared.get().keeper.paced(work.pace)
        lever.take(hand)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run() }
            group.addTask { await watchOrder(by: time, hand) }
            let delivery = Task { try await courier.run() }
            defer { delivery.cancel() }
            let value = try await body()
            group.cancelAll()
            try? await work.source.release(keeper.open)
            courier.finish()
            let alarm = time.alarm(after: Self.patience) { delivery.cancel() }
            defer { alarm.stop() }
            // A journal that cannot be read any more has ended the run before.
            _ = await delivery.result
            return value
        }
    }

    /// Tells the run when the order is held, goes on, or is given up.
    private func watchOrder(by time: Timekeeper, _ hand: @Sendable (TrayControl) -> Void) async {
        guard let number = work.order else { return }
        var isHeld = false
        while (try? await time.sleep(for: Self.glance)) != nil {
            do throws(WorkError) {
                let answer = try await work.source.claim(
                    ClaimRequest(number, beacons: [], most: 0, for: work.lease))
                switch answer.order.state {
                case .held:
                    isHeld = true
                    hand(.hold(.order(answer.order.heldReason ?? "no reason is given")))
                case .cancelled, .draft: hand(.stop)
                case .open, .golden, .done:
                    if isHeld { hand(.letGo(.order(""))) }
                    isHeld = false
                }
            } catch  where error.kind == .refused { hand(.hold(.order(error.message))) } catch {
                // The keeper of claims tells that nobody answers.
            }
        }
    }

    /// What the engine has to learn of a unit whose turn ended at `moment`: also of one that was broken off, because that ends its claim.
    func entry(of unit: UnitRecord, of run: TrayRecord, at moment: RecordedTime) -> OutboxEntry {
        var members = run.news(of: unit, at: moment)
        let claim = keeper.claim(of: unit.slot).map { claim in
            JSONValue.object([
                "order": .text(claim.order), "unit": .text(claim.key), "epoch": .integer(Int(claim.epoch)),
            ])
        }
        members["claim"] = claim ?? .null
        return OutboxEntry(
            kind: StationResults.kind, key: StationResults.key(of: run.key(of: unit, at: moment)),
            body: JSONLine("unit", members).text)
    }

    /// Lets the engine know, once it is written down.
    func tellResult(of slot: String) {
        keeper.drop(slot)
        courier.ring()
    }

    /// What stands against working at the unit in `slot` now; nil where nothing does.
    func hindrance(of slot: String) async -> Tray.Verdict? {
        guard let (code, message) = await refusal(of: slot) else { return nil }
        return Tray.Verdict(
            .aborted, code: code, during: "claiming the unit", message: message,
            nextStep: Explanation.of(code).nextStep)
    }

    /// Throws where the step must not be done.
    func admit(_ change: DeviceChange, to slot: String) async throws(UpdateFailure) {
        guard let (code, message) = await refusal(of: slot) else { return }
        throw UpdateFailure(FailureCode(rawValue: code), during: "claiming the unit", message: message)
    }

    private func refusal(of slot: String) async -> (code: String, message: String)? {
        switch await keeper.refusal(of: slot) {
        case nil: nil
        case .lost: ("claim-lost", "slot \(slot) is not this station's any more")
        case .tooShort(let left, let why):
            (
                "lease-short",
                "slot \(slot) is this station's for \(Int(left / .seconds(1))) s more, which is too short: \(why)"
            )
        }
    }
}
