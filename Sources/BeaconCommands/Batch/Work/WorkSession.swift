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
final class WorkSession: Sendable {
    let work: TrayWork
    let keeper: ClaimRenewer
    let sender: ResultSender
    private let run: JournalledRun
    private let holdController = HoldController()
    private let state = Mutex(State())
    private let renewals: AsyncStream<[String: ClaimRenewer.Kept]>

    private struct State: Sendable {
        /// Packages that no unit may get any more, by their SHA-256, and why.
        var recalledFiles: [String: String] = [:]
        /// Why no unit may get what the order installs any more, whichever package that is; nil where it may.
        var recalledOrder: String?
        /// Ends the wait for the engine after the last unit; nil before that.
        var giveUp: (@Sendable () -> Void)?
    }

    /// Holds the run while no claim covers what comes next, and lets it go on by itself.
    private final class HoldController: Sendable {
        private struct State: Sendable {
            var hand: (@Sendable (TrayControl) -> Void)?
            var isHeld = false
        }

        private let state = Mutex(State())

        func take(_ hand: @escaping @Sendable (TrayControl) -> Void) { state.withLock { $0.hand = hand } }

        func note(_ news: ClaimRenewer.Event) {
            switch news {
            case .unanswered(let failure, let left?, _) where left < ClaimRenewer.stepTime * 2:
                state.withLock { state in
                    guard !state.isHeld else { return }
                    state.isHeld = true
                    state.hand?(.hold(.claimsEnd(failure.message)))
                }
            case .answered, .idle:
                state.withLock { state in
                    if state.isHeld { state.hand?(.letGo(.claimsEnd(""))) }
                    state.isHeld = false
                }
            case .unanswered, .lost, .renewed: break
            }
        }
    }

    /// So long a run waits for the engine after its last unit.
    private static let timeout = Duration.seconds(40)
    /// How often it is looked at whether the order is held, or given up.
    private static let glance = Duration.seconds(15)

    /// Nil for a bench on its own.
    init?(
        _ work: TrayWork, _ run: JournalledRun, time: Timekeeper,
        telling tell: @escaping @Sendable (WorkEvent) -> Void
    ) {
        let results = work.sender(from: run.journal, time: time) { tell(.results($0)) }
        guard let results else { return nil }
        sender = results
        self.work = work
        self.run = run
        let (renewals, renewed) = AsyncStream.makeStream(of: [String: ClaimRenewer.Kept].self)
        self.renewals = renewals
        keeper = ClaimRenewer(
            work.source, lease: work.lease, time: time.paced(work.pace), clock: { work.now },
            handIn: { () throws(WorkError) in _ = try await results.handInOnce() },
            report: { [holdController] news in
                holdController.note(news)
                if case .renewed(let kept) = news { renewed.yield(kept) }
                tell(.claims(news))
            })
    }

    /// Keeps what was claimed, and writes it down.
    func keep(_ share: TrayWork.Share) async throws {
        state.withLock { $0.recalledFiles = share.recalledFiles }
        let kept = share.grants.mapValues { grant in
            ClaimRenewer.Kept(claim: grant.claim, lease: Lease(askedAt: share.asked, for: grant.lease))
        }
        for (slot, kept) in kept { keeper.keep(kept.claim, in: slot, lease: kept.lease) }
        try await note(kept)
    }

    private func note(_ kept: [String: ClaimRenewer.Kept]) async throws(JournalError) {
        let boot = MachineClock.boot ?? ""
        try await run.note(
            kept.map { slot, kept in
                ClaimRecord(
                    slot: slot, order: kept.claim.order, unit: kept.claim.key, epoch: kept.claim.epoch,
                    boot: boot, leaseEnd: kept.lease.end.map { Int64($0 / .milliseconds(1)) })
            })
    }

    /// What `body` gives, while claims are kept up, results handed in, and the order is watched; then waits for the engine a while. What it
    /// has not got by then waits in the journal.
    func beside<Value: Sendable>(
        controlling hand: @escaping @Sendable (TrayControl) -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let time = try EventLoop.shared.get().keeper.paced(work.pace)
        holdController.take(hand)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask { await self.keeper.run() }
            group.addTask { await self.watchOrder(by: time, wokenBy: bell, ringer, hand) }
            group.addTask { await self.work.hints { ringer.yield() } }
            // A journal that cannot be written any more ends the run where it is written to next.
            group.addTask { for await kept in self.renewals { try? await self.note(kept) } }
            let delivery = Task { try await sender.run() }
            let value: Value
            do { value = try await body() } catch {
                group.cancelAll()
                delivery.cancel()
                // The journal is closed next.
                _ = await delivery.result
                throw error
            }
            group.cancelAll()
            state.withLock { $0.giveUp = { delivery.cancel() } }
            try? await work.source.release(keeper.open)
            sender.finish()
            let alarm = time.alarm(after: Self.timeout) { delivery.cancel() }
            defer { alarm.stop() }
            // A journal that cannot be read any more has ended the run before.
            _ = await delivery.result
            return value
        }
    }

    /// Ends the wait for the engine, where the run has come to its end and only that is left; whether it had.
    func giveUpWaiting() -> Bool {
        guard let giveUp = state.withLock({ $0.giveUp }) else { return false }
        giveUp()
        return true
    }

    /// Tells the run when the order is held, goes on, or is given up: looks now and then, and when `bell` rings.
    private func watchOrder(
        by time: Timekeeper, wokenBy bell: AsyncStream<Void>, _ ringer: AsyncStream<Void>.Continuation,
        _ hand: @Sendable (TrayControl) -> Void
    ) async {
        guard let number = work.order else { return }
        var bell = bell.makeAsyncIterator()
        var isHeld = false
        func hold(_ reason: HoldReason) {
            isHeld = true
            hand(.hold(reason))
        }
        while !Task.isCancelled {
            let alarm = time.alarm(after: Self.glance) { ringer.yield() }
            let isRung: Void? = await bell.next()
            alarm.stop()
            guard isRung != nil else { return }
            do throws(WorkError) {
                let answer = try await work.source.claim(
                    ClaimRequest(number, beacons: [], most: 0, for: work.lease))
                state.withLock { ($0.recalledFiles, $0.recalledOrder) = (answer.recalledFiles, nil) }
                switch answer.order.state {
                case .held: hold(.order(answer.order.heldReason ?? "no reason is given"))
                case .cancelled, .draft: hold(.order("it is \(answer.order.state.rawValue)"))
                case .open, .golden, .done:
                    if isHeld { hand(.letGo(.order(""))) }
                    isHeld = false
                }
            } catch  where error.kind == .refused && !error.code.hasPrefix("engine-") {
                // What the engine itself says; a login that is not let in any more takes nothing away that was granted.
                if error.code == "firmware-recalled" { state.withLock { $0.recalledOrder = error.message } }
                hold(.refused(FailureCode(rawValue: error.code), error.message))
            } catch {
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
        sender.ring()
    }

    /// What stands against working at the unit in `slot` now; nil where nothing does.
    func blocker(of slot: String) async -> Tray.Verdict? {
        let refusal = await keeper.refusal(of: slot)
        // As where it is said at the beginning of a run.
        if case .denied(let reason) = refusal { return TrayWork.verdict(reason) }
        guard let (code, message) = Self.words(of: refusal, slot) else { return nil }
        return Tray.Verdict(
            .aborted, code: code, during: "claiming the unit", message: message,
            nextStep: Explanation.of(code).nextStep)
    }

    /// Throws where the step must not be done with `firmware`, of this SHA-256.
    func admit(_ change: DeviceChange, with firmware: String, to slot: String) async throws(UpdateFailure) {
        // What has been sent is activated: a beacon is not left without an application.
        switch change {
        case .enterBootloader, .update:
            let why = state.withLock { state in
                state.recalledOrder
                    ?? state.recalledFiles[firmware.lowercased()].map { "this package was recalled: \($0)" }
            }
            if let why {
                throw UpdateFailure(
                    FailureCode(rawValue: "firmware-recalled"), during: "claiming the unit", message: why)
            }
        case .configure, .activate: break
        }
        guard let (code, message) = Self.words(of: await keeper.refusal(of: slot), slot) else { return }
        throw UpdateFailure(FailureCode(rawValue: code), during: "claiming the unit", message: message)
    }

    private static func words(of refusal: ClaimRenewer.Refusal?, _ slot: String) -> (
        code: String, message: String
    )? {
        switch refusal {
        case nil: nil
        case .lost: ("claim-lost", "slot \(slot) is not this station's any more")
        case .denied(let reason): (reason.code, "slot \(slot) gets no further turn: \(reason.words)")
        case .resting(let order):
            (
                order.state == .held ? "order-held" : "nothing-claimed",
                "slot \(slot) gets no further turn: order \(order.number) is \(order.state.rawValue)"
                    + (order.heldReason.map { ": \($0)" } ?? "")
            )
        case .unanswered(let error):
            (error.code, "slot \(slot) gets no further turn for now: \(error.message)")
        case .tooShort(let left, let why):
            (
                "lease-short",
                "slot \(slot) is this station's for \(Int(left / .seconds(1))) s more, which is too short: \(why)"
            )
        }
    }
}
