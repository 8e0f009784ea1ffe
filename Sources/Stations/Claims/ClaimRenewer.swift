import Synchronization
public import Timing
public import WorkOrders

/// Keeps the claims of a run: asks for more time while there is somebody to ask, and says whether enough is left for a step that
/// destroys.
///
/// A beacon cannot tell one station from another, so the stations have to: no step is begun that the lease may not cover. What
/// runs is finished, because a beacon in the middle of a transfer is nobody's gain. (docs/decisions/0053)
public final class ClaimRenewer: Sendable {
    /// What stands against working at a unit.
    public enum Refusal: Hashable, Sendable {
        /// It is another's, or may be.
        case lost
        /// So much is left, too little for what is to be done, and nobody grants more: why.
        case tooShort(left: Duration, why: String)
        /// Its turn was over, and it is not granted for another: why.
        case denied(ClaimAnswer.Denied.Reason)
        /// Its turn was over, and its order, which is so now, lets no unit begin.
        case resting(WorkOrder)
        /// Its turn was over, and nobody says whether it may have another.
        case unanswered(WorkError)
    }

    /// What is told of claims.
    public enum Event: Hashable, Sendable {
        /// The units in these slots are not the station's any more.
        case lost(slots: [String])
        /// Nobody grants more time: why, and how much the shortest lease has left. Told again with each try.
        case unanswered(WorkError, left: Duration?, isNews: Bool)
        /// Time is granted again, after it was not.
        case answered
        /// No claim is left for which time was not granted.
        case idle
        /// The claims of these slots hold for so long now; to be written down.
        case renewed([String: Kept])
    }

    /// A claim that holds.
    public struct Kept: Hashable, Sendable {
        /// The claim.
        public let claim: WorkClaim
        /// Until when.
        public let lease: Lease

        /// `claim` until `lease` ends.
        public init(claim: WorkClaim, lease: Lease) { (self.claim, self.lease) = (claim, lease) }
    }

    private struct Held: Sendable {
        let claim: WorkClaim
        var lease: Lease
        var isLost = false
        /// What became of the unit is written down.
        var isOver = false
    }

    /// The longest that a step takes between its check and its end: a bootloader is started and found, a first object is
    /// created, an image is activated.
    public static let stepTime = Duration.seconds(60)

    /// So long an answer is waited for in vain before it is asked again.
    private static let pause = Duration.seconds(5)

    private let source: any WorkSource
    private let length: Duration
    private let time: Timekeeper
    private let clock: @Sendable () -> Duration
    private let held = Mutex<[String: Held]>([:])
    private let isAnswered = Atomic<Bool>(true)
    private let handIn: @Sendable () async throws(WorkError) -> Void
    private let report: @Sendable (Event) -> Void

    /// A keeper of claims of `length` from `source`. `clock` is what leases are counted by, `time` what is waited by. `handIn` brings
    /// the engine what came of earlier turns.
    public init(
        _ source: any WorkSource, lease length: Duration, time: Timekeeper,
        clock: @escaping @Sendable () -> Duration = { MachineClock.now },
        handIn: @escaping @Sendable () async throws(WorkError) -> Void = { () throws(WorkError) in },
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.source = source
        self.length = length
        self.time = time
        self.clock = clock
        self.handIn = handIn
        self.report = report
    }

    /// Now, by the clock of leases: to be read before a claim is asked for.
    public var now: Duration { clock() }

    /// Keeps the claim of the unit in `slot` from now on.
    public func keep(_ claim: WorkClaim, in slot: String, lease: Lease) {
        held.withLock { $0[slot] = Held(claim: claim, lease: lease) }
    }

    /// The claim under which the unit in `slot` is worked at; nil for none.
    public func claim(of slot: String) -> WorkClaim? { held.withLock { $0[slot]?.claim } }

    /// What has become of a unit is written down: no more time is needed for it.
    public func drop(_ slot: String) { held.withLock { $0[slot]?.isOver = true } }

    /// The claims that are still kept, and not lost.
    public var open: [WorkClaim] { openBySlot.map(\.claim) }

    private var openBySlot: [(slot: String, claim: WorkClaim)] {
        held.withLock { held in
            held.sorted { $0.key < $1.key }.filter { !$0.value.isLost && !$0.value.isOver }
                .map { ($0.key, $0.value.claim) }
        }
    }

    /// What stands against a step of at most `length` at the unit in `slot`, after it was asked for more time where too little
    /// is left, or for the unit anew where its turn was over; nil where nothing does.
    public func refusal(of slot: String, for length: Duration = stepTime) async -> Refusal? {
        guard let unit = held.withLock({ $0[slot] }), !unit.isLost else { return .lost }
        if unit.isOver, let refusal = await reclaim(slot, unit.claim) { return refusal }
        guard let unit = held.withLock({ $0[slot] }) else { return .lost }
        if unit.lease.covers(length, at: clock()) { return nil }
        let failure = await renew([(slot, unit.claim)])
        guard let unit = held.withLock({ $0[slot] }), !unit.isLost else { return .lost }
        if unit.lease.covers(length, at: clock()) { return nil }
        return .tooShort(
            left: unit.lease.left(at: clock()) ?? .zero,
            why: failure?.message ?? "the engine grants no more")
    }

    /// Asks for more time, in time, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            // The engine may have granted less than was asked for.
            let moment = clock()
            let quarter = max(
                .seconds(1), min(length, shortestLease(at: moment).map { $0 + Lease.margin } ?? length) / 4)
            let wait = isAnswered.load(ordering: .relaxed) ? quarter : min(Self.pause, quarter)
            guard (try? await time.sleep(for: wait)) != nil else { return }
            let open = openBySlot
            if !open.isEmpty {
                await renew(open)
            } else if !isAnswered.exchange(true, ordering: .relaxed) {
                report(.idle)
            }
        }
    }

    /// Claims a unit anew whose turn was over, because it gets another; what stands against that.
    private func reclaim(_ slot: String, _ former: WorkClaim) async -> Refusal? {
        do throws(WorkError) {
            // The new claim would make what came of the former turn late.
            try await handIn()
            let asked = clock()
            let request = ClaimRequest(former.order, beacons: [.init([former.key])], most: 1, for: length)
            let answer = try await source.claim(request)
            guard let grant = answer.grants.first else {
                return answer.denied.first.map { .denied($0.reason) } ?? .resting(answer.order)
            }
            let lease = Lease(askedAt: asked, for: grant.lease)
            keep(grant.claim, in: slot, lease: lease)
            report(.renewed([slot: Kept(claim: grant.claim, lease: lease)]))
            return nil
        } catch { return .unanswered(error) }
    }

    @discardableResult private func renew(_ claims: [(slot: String, claim: WorkClaim)]) async -> WorkError? {
        let asked = clock()
        do throws(WorkError) {
            let answers = try await source.renew(claims.map(\.claim), for: length)
            guard answers.count == claims.count else {
                throw WorkError(
                    .notUnderstood, "engine-answer", during: "asking for more time",
                    message: "\(answers.count) answers to \(claims.count) claims")
            }
            note(zip(claims, answers).map { ($0, $1) }, askedAt: asked)
            if !isAnswered.exchange(true, ordering: .relaxed) { report(.answered) }
            return nil
        } catch {
            let isNews = isAnswered.exchange(false, ordering: .relaxed)
            let moment = clock()
            report(.unanswered(error, left: shortestLease(at: moment), isNews: isNews))
            return error
        }
    }

    /// What the shortest of the leases that count has left.
    private func shortestLease(at moment: Duration) -> Duration? {
        held.withLock { held in
            held.values.filter { !$0.isOver && !$0.isLost }.compactMap { $0.lease.left(at: moment) }.min()
        }
    }

    private func note(
        _ answers: [((slot: String, claim: WorkClaim), Renewal)], askedAt moment: Duration
    ) {
        var (lost, renewed) = ([String](), [String: Kept]())
        held.withLock { held in
            for ((slot, claim), answer) in answers {
                // Another claim may be in its place, or none.
                guard held[slot]?.claim == claim else { continue }
                switch answer {
                case .lost:
                    held[slot]?.isLost = true
                    lost.append(slot)
                case .renewed(let length):
                    let lease = Lease(askedAt: moment, for: length)
                    held[slot]?.lease = lease
                    renewed[slot] = Kept(claim: claim, lease: lease)
                }
            }
        }
        if !renewed.isEmpty { report(.renewed(renewed)) }
        if !lost.isEmpty { report(.lost(slots: lost)) }
    }
}
