import BeaconIdentity
import BluetoothTypes
import Radio
import Stations
import Tray
import TrayJournal
package import WorkOrders

/// Where the units of a run come from, and who learns what became of them.
package struct TrayWork: Sendable {
    let source: any WorkSource
    /// The order's number; nil for a tray that is the bench's own.
    let order: String?
    /// For how long a unit is claimed.
    let lease: Duration
    /// At most so many units.
    let most: Int
    /// Who the station is; nil for a bench on its own.
    let station: String?
    /// The version of the published catalogue that the run works by; nil for none.
    let catalogue: Int64?
    /// How much faster than the machine's the time of claims passes; 1 but in tests.
    package let pace: Double
    /// Rings when the engine has news, until the task is cancelled; a hint only, what is missed is found by looking.
    let hints: @Sendable (_ ring: @escaping @Sendable () -> Void) async -> Void

    /// The clock of claims.
    var now: Duration { MachineClock.now * pace }

    /// Work as described.
    package init(
        _ source: any WorkSource, order: String?, lease: Duration, most: Int = .max, station: String?,
        catalogue: Int64? = nil, pace: Double = 1,
        hints: @escaping @Sendable (_ ring: @escaping @Sendable () -> Void) async -> Void = { _ in }
    ) {
        self.source = source
        self.order = order
        self.lease = lease
        self.most = most
        self.station = station
        self.catalogue = catalogue
        self.pace = pace
        self.hints = hints
    }

    /// The same by the published catalogue of `version`.
    func working(by version: Int64) -> TrayWork {
        TrayWork(
            source, order: order, lease: lease, most: most, station: station, catalogue: version, pace: pace,
            hints: hints)
    }

    /// What a tray file or a rule says, and nobody else has to know.
    static let ofTray = TrayWork(TrayFileWork(), order: nil, lease: .seconds(120), station: nil)

    /// What a run may work at.
    struct Share: Sendable {
        var slots: [TraySlot] = []
        var grants: [String: ClaimAnswer.Grant] = [:]
        /// Slots that are not the run's, and why.
        var denied: [(slot: TraySlot, reason: ClaimAnswer.Denied.Reason)] = []
        /// Slots that may be had later, as when the order wants one unit to pass first.
        var later: [TraySlot] = []
        /// Slots of which nobody knows which beacon is meant: it is called by its name only, and was not heard.
        var unclaimable: [TraySlot] = []
        /// Packages that no unit may get any more, by their SHA-256, and why.
        var recalledFiles: [String: String] = [:]
        var order: WorkOrder
        /// Whether it is what the journal says, because nobody answers.
        var isRecalled = false
        /// Before the claims were asked for, by the clock of leases.
        let asked: Duration

        /// What the units that are not the run's have come to, by slot.
        var verdicts: [String: Tray.Verdict] {
            let known = denied.map { ($0.slot.label, TrayWork.verdict($0.reason)) }
            let later = later.map { ($0.label, TrayWork.verdictOfLater(order)) }
            let unclaimable = unclaimable.map { ($0.label, TrayWork.verdictOfUnclaimable) }
            return Dictionary(known + later + unclaimable) { first, _ in first }
        }
    }

    /// What the units that are not the run's have come to.
    static func verdict(_ reason: ClaimAnswer.Denied.Reason) -> Tray.Verdict {
        let outcome: Outcome =
            switch reason {
            case .done: .notNeeded
            // A later session of the run asks again.
            case .claimed, .claimedElsewhere: .aborted
            case .failed, .notInOrder, .full: .skipped
            }
        return Tray.Verdict(
            outcome, code: reason.code, during: "claiming the unit", message: reason.words,
            nextStep: Explanation.of(reason.code).nextStep)
    }

    /// The same of those that may be had later.
    static func verdictOfLater(_ order: WorkOrder) -> Tray.Verdict {
        Tray.Verdict(
            .aborted, code: "unit-later", during: "claiming the unit",
            message: "order \(order.number) is \(order.state.rawValue)",
            nextStep: Explanation.of("unit-later").nextStep)
    }

    /// The same of those of which nobody knows which beacon is meant.
    static let verdictOfUnclaimable = Tray.Verdict(
        .aborted, code: "slot-unclaimable", during: "claiming the unit",
        message: "it was not heard, and a name alone does not tell other benches which beacon is meant",
        nextStep: Explanation.of("slot-unclaimable").nextStep)

    /// Claims the units in `slots`, of whom `heard` is what the adapters hear.
    func claim(_ slots: [TraySlot], heard: BeaconSightings?) async throws(WorkError) -> Share {
        let all = slots.map { (slot: $0, keys: Self.keys(of: $0, heard: heard)) }
        // Every bench has to call a beacon by a key that others know it by, too.
        let asking = order == nil ? all : all.filter { $0.keys.contains(where: Self.isShared) }
        let asked = now
        let answer = try await source.claim(
            ClaimRequest(
                order ?? "", beacons: asking.map { ClaimRequest.Beacon($0.keys) },
                most: min(most, asking.count), for: lease))
        var share = Share(order: answer.order, asked: asked)
        share.recalledFiles = answer.recalledFiles
        share.unclaimable = all.map(\.slot).filter { slot in
            !asking.contains { $0.slot.label == slot.label }
        }
        for (slot, keys) in asking {
            if let grant = answer.grants.first(where: { keys.contains($0.asked) }) {
                share.slots.append(slot)
                share.grants[slot.label] = grant
            } else if let denied = answer.denied.first(where: { keys.contains($0.key) }) {
                share.denied.append((slot, denied.reason))
            } else {
                share.later.append(slot)
            }
        }
        return share
    }

    /// What is left of claims that the run had written down when the program ended; nil for nothing that lasts.
    func recalled(_ slots: [TraySlot], of claims: [String: ClaimRecord]) -> Share? {
        guard let order, let boot = MachineClock.boot else { return nil }
        let now = now
        var share = Share(
            order: WorkOrder(number: order, state: .open, firmware: .ofTray), isRecalled: true, asked: now)
        for slot in slots {
            guard let claim = claims[slot.label], claim.order == order, claim.boot == boot,
                let end = claim.leaseEnd.map({ Duration.milliseconds($0) })
            else {
                share.later.append(slot)
                continue
            }
            let left = end - now
            guard left > ClaimRenewer.stepTime else {
                share.later.append(slot)
                continue
            }
            share.slots.append(slot)
            share.grants[slot.label] = ClaimAnswer.Grant(
                WorkClaim(order: order, key: claim.unit, epoch: claim.epoch), lease: left + Lease.margin,
                wasBegun: true, selector: claim.unit)
        }
        return share.slots.isEmpty ? nil : share
    }

    /// What an order may list the beacon of `slot` by.
    static func keys(of slot: TraySlot, heard: BeaconSightings?) -> [String] {
        let meanings = slot.device?.meanings ?? []
        let beacon = heard?.byStrength.first { beacon in
            slot.device?.matches(beacon) ?? false || meanings.contains(where: keys(of: beacon).contains)
        }
        return beacon.map { keys(of: $0, isSelected: slot.device?.matches($0) ?? false) } ?? meanings
    }

    /// A bootloader is its application's unit: another bench may have brought it there. One that may be at either address and
    /// was selected by its own is that one's.
    private static func keys(of beacon: BeaconSighting, isSelected: Bool = false) -> [String] {
        let own = beacon.address
        let isAbove =
            beacon.mayBeAboveItsApplication && !(isSelected && beacon.mayBeAtItsApplication)
        // Not its own address: where addresses were given out one after the other, that is another beacon's.
        let unit = isAbove ? own.neighbour(-1) : own
        return ["\(unit)/\(unit.kind.rawValue)"]
            + (beacon.identity.id.map { ["id:\($0.lowercased())"] } ?? [])
    }

    /// Whether a key is one by which any bench would call the beacon.
    private static func isShared(_ key: String) -> Bool {
        !key.hasPrefix("name:") && !key.hasPrefix("ibeacon:")
    }
}
