package import Bluetooth
import Synchronization

/// Renews the claims of a run while the work server answers, and decides whether enough time is left for a destructive
/// step.
///
/// A beacon cannot distinguish stations, so the stations have to coordinate: a step starts only if the lease covers it.
/// A running step is finished, because an interrupted transfer helps no one. (docs/decisions/0053)
package final class ClaimRenewer: Sendable {
    /// Why a unit may not be worked on.
    package enum Refusal: Hashable, Sendable {
        /// Another station has claimed it, or may have.
        case lost
        /// The remaining time is too short for the step, and no more was granted, for the reason `why`.
        case tooShort(left: Duration, why: String)
        /// The unit's claim was dropped, and a new one was denied, for this reason.
        case denied(ClaimAnswer.Denial.Reason)
        /// The unit's claim was dropped, and the state of the order allows no unit to start.
        case orderNotOpen(WorkOrder)
        /// The unit's claim was dropped, and the work server does not answer a new claim.
        case unanswered(WorkError)
    }

    package enum Event: Hashable, Sendable {
        case lost(slots: [String])
        /// A renewal has failed; reported each time. `left`: the remaining time of the shortest lease, nil for no end.
        /// `isFirst`: whether the renewal before it succeeded.
        case unanswered(WorkError, left: Duration?, isFirst: Bool)
        /// A renewal has succeeded after one that had failed.
        case answered
        /// Renewal had failed, and no open claim is left.
        case idle
        /// Claims have new leases, to be recorded; by their slots.
        case renewed([String: LeasedClaim])
    }

    package struct LeasedClaim: Hashable, Sendable {
        package let claim: WorkClaim
        package let lease: Lease

        package init(claim: WorkClaim, lease: Lease) { (self.claim, self.lease) = (claim, lease) }
    }

    private struct HeldClaim: Sendable {
        let claim: WorkClaim
        var lease: Lease
        var isLost = false
        /// Whether the unit's result is recorded, so that its claim was dropped and is not renewed.
        var isDropped = false
    }

    /// The longest time between the check before a step and the end of the step: that a bootloader is started and
    /// found, a first object is created, or an image is activated.
    package static let stepTime = Duration.seconds(60)

    /// The pause after a failed renewal.
    private static let retryPause = Duration.seconds(5)

    private let source: any WorkSource
    private let length: Duration
    private let time: Timekeeper
    private let clock: @Sendable () -> Duration
    private let held = Mutex<[String: HeldClaim]>([:])
    private let isAnswered = Atomic<Bool>(true)
    private let deliverResults: @Sendable () async throws(WorkError) -> Void
    private let report: @Sendable (Event) -> Void

    /// Renews claims at `source`, each time for `length`. `clock`: the clock of the leases. `time`: the clock of the
    /// waits. `deliverResults`: delivers the results of earlier claims to the work server.
    package init(
        _ source: any WorkSource, lease length: Duration, time: Timekeeper,
        clock: @escaping @Sendable () -> Duration = { MachineClock.now },
        deliverResults: @escaping @Sendable () async throws(WorkError) -> Void = { () throws(WorkError) in },
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.source, self.length, self.time, self.clock) = (source, length, time, clock)
        (self.deliverResults, self.report) = (deliverResults, report)
    }

    /// The current time of the lease clock. A claim's lease counts from this time before its request.
    package var now: Duration { clock() }

    /// Renews the claim of the unit in `slot` from now on.
    package func keep(_ claim: WorkClaim, in slot: String, lease: Lease) {
        held.withLock { $0[slot] = HeldClaim(claim: claim, lease: lease) }
    }

    package func claim(of slot: String) -> WorkClaim? { held.withLock { $0[slot]?.claim } }

    /// Stops renewing the claim of the unit in `slot`, whose result is recorded.
    package func drop(_ slot: String) { held.withLock { $0[slot]?.isDropped = true } }

    /// The claims that are neither dropped nor lost.
    package var open: [WorkClaim] { openBySlot.map(\.claim) }

    private var openBySlot: [(slot: String, claim: WorkClaim)] {
        held.withLock { held in
            held.sorted { $0.key < $1.key }.filter { !$0.value.isLost && !$0.value.isDropped }
                .map { ($0.key, $0.value.claim) }
        }
    }

    /// Why a step of at most `length` may not start at the unit in `slot`; nil if it may. Renews the unit's claim if
    /// too little time is left. If the unit's claim was already dropped, claims it again.
    package func refusal(of slot: String, for length: Duration = stepTime) async -> Refusal? {
        guard let unit = held.withLock({ $0[slot] }), !unit.isLost else { return .lost }
        if unit.isDropped, let refusal = await reclaim(slot, unit.claim) { return refusal }
        guard let unit = held.withLock({ $0[slot] }) else { return .lost }
        if unit.lease.covers(length, at: clock()) { return nil }
        let failure = await renew([(slot, unit.claim)])
        guard let unit = held.withLock({ $0[slot] }), !unit.isLost else { return .lost }
        if unit.lease.covers(length, at: clock()) { return nil }
        return .tooShort(
            left: unit.lease.left(at: clock()) ?? .zero,
            why: failure?.message ?? "the work server grants no more time")
    }

    package func run() async {
        while !Task.isCancelled {
            // The work server may have granted less than was requested.
            let granted = shortestLease(at: clock()).map { $0 + Lease.margin } ?? length
            let quarter = max(.seconds(1), min(length, granted) / 4)
            let wait = isAnswered.load(ordering: .relaxed) ? quarter : min(Self.retryPause, quarter)
            guard (try? await time.sleep(for: wait)) != nil else { return }
            let open = openBySlot
            if !open.isEmpty {
                await renew(open)
            } else if !isAnswered.exchange(true, ordering: .relaxed) {
                report(.idle)
            }
        }
    }

    /// Claims a unit again whose claim was dropped; returns the reason if this fails, otherwise nil.
    private func reclaim(_ slot: String, _ former: WorkClaim) async -> Refusal? {
        do throws(WorkError) {
            // The earlier result is delivered first: after the new claim, it would count as late.
            try await deliverResults()
            let asked = clock()
            let request = ClaimRequest(former.order, beacons: [.init([former.key])], most: 1, for: length)
            let answer = try await source.claim(request)
            guard let grant = answer.grants.first else {
                return answer.denied.first.map { .denied($0.reason) } ?? .orderNotOpen(answer.order)
            }
            let lease = Lease(requestedAt: asked, for: grant.lease)
            keep(grant.claim, in: slot, lease: lease)
            report(.renewed([slot: LeasedClaim(claim: grant.claim, lease: lease)]))
            return nil
        } catch { return .unanswered(error) }
    }

    @discardableResult private func renew(_ claims: [(slot: String, claim: WorkClaim)]) async -> WorkError? {
        let asked = clock()
        do throws(WorkError) {
            let answers = try await source.renew(claims.map(\.claim), for: length)
            guard answers.count == claims.count else {
                throw WorkError(
                    .notUnderstood, .workServer.answer, during: "renewing claims",
                    message: "\(answers.count) answers to \(claims.count) claims")
            }
            record(zip(claims, answers).map { ($0, $1) }, requestedAt: asked)
            if !isAnswered.exchange(true, ordering: .relaxed) { report(.answered) }
            return nil
        } catch {
            let isFirst = isAnswered.exchange(false, ordering: .relaxed)
            report(.unanswered(error, left: shortestLease(at: clock()), isFirst: isFirst))
            return error
        }
    }

    private func shortestLease(at moment: Duration) -> Duration? {
        held.withLock { held in
            held.values.filter { !$0.isDropped && !$0.isLost }.compactMap { $0.lease.left(at: moment) }.min()
        }
    }

    private func record(
        _ answers: [((slot: String, claim: WorkClaim), Renewal)], requestedAt moment: Duration
    ) {
        var (lost, renewed) = ([String](), [String: LeasedClaim]())
        held.withLock { held in
            for ((slot, claim), answer) in answers {
                // Skip a claim that was replaced or removed meanwhile.
                guard held[slot]?.claim == claim else { continue }
                switch answer {
                case .lost:
                    held[slot]?.isLost = true
                    lost.append(slot)
                case .renewed(let length):
                    let lease = Lease(requestedAt: moment, for: length)
                    held[slot]?.lease = lease
                    renewed[slot] = LeasedClaim(claim: claim, lease: lease)
                }
            }
        }
        if !renewed.isEmpty { report(.renewed(renewed)) }
        if !lost.isEmpty { report(.lost(slots: lost)) }
    }
}
