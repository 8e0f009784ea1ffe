import Bluetooth
import Bytes
import CommandKit
import Synchronization
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel
import Work

/// A run's exchange with the work server: renews claims, sends results, and watches the order.
final class WorkSession: Sendable {
    let work: TrayWork
    let renewer: ClaimRenewer
    let sender: ResultSender
    private let run: JournalledRun
    private let holdController = HoldController()
    private let state = Mutex(State())
    private let renewals: AsyncStream<[String: ClaimRenewer.LeasedClaim]>

    private struct State: Sendable {
        /// Recalled packages: the reason, by their SHA-256 in lower-case hexadecimal.
        var recalledFiles: [String: String] = [:]
        /// Why the order's firmware was recalled as a whole; nil if it was not.
        var recalledOrder: String?
        /// Ends the wait for the work server that follows the last unit; nil before that wait.
        var giveUp: (@Sendable () -> Void)?
    }

    /// Holds the run when claims are not renewed and the shortest ends within twice the time of a step, until they are
    /// renewed again.
    private final class HoldController: Sendable {
        private struct State: Sendable {
            var send: (@Sendable (TrayControl) -> Void)?
            var isHeld = false
        }

        private let state = Mutex(State())

        func take(_ send: @escaping @Sendable (TrayControl) -> Void) { state.withLock { $0.send = send } }

        func note(_ event: ClaimRenewer.Event) {
            switch event {
            case .unanswered(let failure, let left?, _) where left < ClaimRenewer.stepTime * 2:
                state.withLock { state in
                    guard !state.isHeld else { return }
                    state.isHeld = true
                    state.send?(.hold(.claimsEnd(failure.message)))
                }
            case .answered, .idle:
                state.withLock { state in
                    if state.isHeld { state.send?(.endHold(.claimsEnd(""))) }
                    state.isHeld = false
                }
            case .unanswered, .lost, .renewed: break
            }
        }
    }

    /// How long a run waits for the work server after its last unit.
    private static let timeout = Duration.seconds(40)
    /// How often the state of the order is polled.
    private static let pollInterval = Duration.seconds(15)

    /// Nil for a bench without a work server. `tell` gets the events of claims and results.
    init?(
        _ work: TrayWork, _ run: JournalledRun, time: Timekeeper,
        telling tell: @escaping @Sendable (WorkEvent) -> Void
    ) {
        let results = work.sender(from: run.journal, time: time) { tell(.results($0)) }
        guard let results else { return nil }
        sender = results
        (self.work, self.run) = (work, run)
        let (renewals, renewed) = AsyncStream.makeStream(of: [String: ClaimRenewer.LeasedClaim].self)
        self.renewals = renewals
        renewer = ClaimRenewer(
            work.source, lease: work.lease, time: time.paced(work.pace), clock: { work.now },
            deliverResults: { () throws(WorkError) in _ = try await results.deliverOnce() },
            report: { [holdController] event in
                holdController.note(event)
                if case .renewed(let kept) = event { renewed.yield(kept) }
                tell(.claims(event))
            })
    }

    func keep(_ share: TrayWork.Share) async throws {
        state.withLock { $0.recalledFiles = share.recalledFiles }
        let kept = share.grants.mapValues { grant in
            ClaimRenewer.LeasedClaim(
                claim: grant.claim, lease: Lease(requestedAt: share.asked, for: grant.lease))
        }
        for (slot, kept) in kept { renewer.keep(kept.claim, in: slot, lease: kept.lease) }
        try await note(kept)
    }

    private func note(_ kept: [String: ClaimRenewer.LeasedClaim]) async throws(JournalError) {
        let boot = MachineClock.boot ?? ""
        try await run.note(
            kept.map { slot, kept in
                ClaimRecord(
                    slot: slot, order: kept.claim.order, unit: kept.claim.key, epoch: kept.claim.epoch,
                    boot: boot, leaseEnd: kept.lease.end.map { Int64($0 / .milliseconds(1)) })
            })
    }

    /// Runs `body` while claims are renewed, results sent, and the order watched; then waits up to 40 s for the work server
    /// to receive the results. The others stay in the journal.
    func run<Value: Sendable>(
        controlling send: @escaping @Sendable (TrayControl) -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let time = try EventLoop.shared.get().clock.paced(work.pace)
        holdController.take(send)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (wakeUps, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask { await self.renewer.run() }
            group.addTask { await self.watchOrder(by: time, wokenBy: wakeUps, waker, send) }
            group.addTask { await self.work.hints { waker.yield() } }
            // Errors are ignored: if the journal can no longer be written, the run ends at its next write.
            group.addTask { for await kept in self.renewals { try? await self.note(kept) } }
            let delivery = Task { try await sender.run() }
            let value: Value
            do { value = try await body() } catch {
                group.cancelAll()
                delivery.cancel()
                // The caller closes the journal next, so no delivery may still use it.
                _ = await delivery.result
                throw error
            }
            group.cancelAll()
            state.withLock { $0.giveUp = { delivery.cancel() } }
            try? await work.source.release(renewer.open)
            sender.finish()
            let alarm = time.alarm(after: Self.timeout) { delivery.cancel() }
            defer { alarm.stop() }
            // Errors are ignored: a journal that can no longer be read has already ended the run.
            _ = await delivery.result
            return value
        }
    }

    /// Ends the wait for the work server that follows the last unit; returns false before that wait.
    func giveUpWaiting() -> Bool {
        guard let giveUp = state.withLock({ $0.giveUp }) else { return false }
        giveUp()
        return true
    }

    /// Holds or releases the run when the order is held, released or cancelled: asks every 15 s, and after each element of
    /// `wakeUps`.
    private func watchOrder(
        by time: Timekeeper, wokenBy wakeUps: AsyncStream<Void>, _ waker: AsyncStream<Void>.Continuation,
        _ send: @Sendable (TrayControl) -> Void
    ) async {
        guard let number = work.order else { return }
        var wakeUps = wakeUps.makeAsyncIterator()
        var isHeld = false
        func hold(_ reason: HoldReason) {
            isHeld = true
            send(.hold(reason))
        }
        while !Task.isCancelled {
            let alarm = time.alarm(after: Self.pollInterval) { waker.yield() }
            let woken: Void? = await wakeUps.next()
            alarm.stop()
            guard woken != nil else { return }
            do throws(WorkError) {
                let answer = try await work.answer(about: number)
                state.withLock { ($0.recalledFiles, $0.recalledOrder) = (answer.recalledFiles, nil) }
                switch answer.order.state {
                case .held: hold(.order(answer.order.heldReason ?? "no reason given"))
                case .cancelled, .draft: hold(.order("it is \(answer.order.state.rawValue)"))
                case .open, .golden, .done:
                    if isHeld { send(.endHold(.order(""))) }
                    isHeld = false
                }
            } catch  where error.kind == .refused && !error.code.rawValue.hasPrefix("engine-") {
                // The order was refused. Codes `engine-…` are refusals of the login, which end no claims.
                if error.code == .workServer.firmwareRecalled {
                    state.withLock { $0.recalledOrder = error.message }
                }
                hold(.refused(error.code, error.message))
            } catch {
                // The renewal of claims reports a work server that does not answer.
            }
        }
    }

    /// The result for the work server about a unit that ended at `moment`, also about an aborted one: a result ends the
    /// claim.
    func entry(of unit: UnitRecord, of run: TrayRecord, at moment: RecordedTime) -> OutboxEntry {
        var members = run.resultMembers(of: unit, at: moment)
        let claim = renewer.claim(of: unit.slot).map { claim in
            JSONValue.object([
                "order": .text(claim.order), "unit": .text(claim.key), "epoch": .integer(Int(claim.epoch)),
            ])
        }
        members["claim"] = claim ?? .null
        return OutboxEntry(
            kind: StationResults.kind, key: StationResults.key(of: run.key(of: unit, at: moment)),
            body: JSONLine("unit", members).text)
    }

    /// Wakes the sender after a result was recorded, and stops renewing the unit's claim.
    func noteResult(of slot: String) {
        renewer.drop(slot)
        sender.wake()
    }

    /// Why the unit in `slot` must not be updated now; nil if it may be.
    func blocker(of slot: String) async -> UnitVerdict? {
        let refusal = await renewer.refusal(of: slot)
        // A denied claim gets the same verdict as at the start of a run.
        if case .denied(let reason) = refusal { return TrayWork.verdict(reason) }
        return Self.words(of: refusal, slot).map { TrayWork.verdict($0.code, $0.message) }
    }

    /// Throws if `change` must not be made to the unit in `slot` with `firmware`, a SHA-256 in hexadecimal.
    func admit(_ change: DeviceChange, with firmware: String, to slot: String) async throws(UpdateFailure) {
        // Firmware that was already sent is activated, so that no beacon is left without an application.
        switch change {
        case .enterBootloader, .update:
            let why = state.withLock { state in
                state.recalledOrder
                    ?? state.recalledFiles[firmware.lowercased()].map { "this package was recalled: \($0)" }
            }
            if let why {
                throw UpdateFailure(.workServer.firmwareRecalled, during: "claiming the unit", message: why)
            }
        case .configure, .activate: break
        }
        guard let (code, message) = Self.words(of: await renewer.refusal(of: slot), slot) else { return }
        throw UpdateFailure(code, during: "claiming the unit", message: message)
    }

    private static func words(of refusal: ClaimRenewer.Refusal?, _ slot: String) -> (
        code: FailureCode, message: String
    )? {
        switch refusal {
        case nil: nil
        case .lost: (.station.claimLost, "slot \(slot) is no longer claimed by this station")
        case .denied(let reason): (reason.code, "slot \(slot) gets no further attempt: \(reason.words)")
        case .orderNotOpen(let order):
            (
                order.state == .held ? .station.orderHeld : .station.nothingClaimed,
                "slot \(slot) gets no further attempt: order \(order.number) is \(order.state.rawValue)"
                    + (order.heldReason.map { ": \($0)" } ?? "")
            )
        case .unanswered(let error):
            (error.code, "slot \(slot) gets no further attempt for now: \(error.message)")
        case .tooShort(let left, let why):
            (
                .station.leaseShort,
                "slot \(slot) is claimed for only \(Int(left / .seconds(1))) s more, which is too short: \(why)"
            )
        }
    }
}
