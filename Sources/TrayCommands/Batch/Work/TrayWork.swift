package import Bluetooth
import CommandKit
package import Firmware
package import Tray
package import TrayJournal
import UpdateModel
package import Work

/// Where the units of a run come from, and where their results go.
package struct TrayWork: Sendable {
    package let source: any WorkSource
    /// The order's number; nil for a tray without an order.
    package let order: String?
    /// How long a claim should hold unless it is renewed.
    package let lease: Duration
    /// The most units to claim.
    package let most: Int
    /// The station's name; nil for a bench without a work server.
    package let station: String?
    /// The version of the published catalogue that the run uses; nil for none.
    package private(set) var catalogue: Int64?
    /// How many times as fast as the machine's clock the clock of leases runs (`PacedWork`); 1 except in tests.
    package let pace: Double
    /// Calls `notify` when the work server has news, until the task is cancelled. It may miss some, which polling finds.
    package let hints: @Sendable (_ notify: @escaping @Sendable () -> Void) async -> Void

    /// The time on the clock of leases.
    package var now: Duration { MachineClock.now * pace }

    package init(
        _ source: any WorkSource, order: String?, lease: Duration, most: Int = .max, station: String?,
        catalogue: Int64? = nil, pace: Double = 1,
        hints: @escaping @Sendable (_ notify: @escaping @Sendable () -> Void) async -> Void = { _ in }
    ) {
        (self.source, self.order, self.lease, self.most) = (source, order, lease, most)
        (self.station, self.catalogue, self.pace, self.hints) = (station, catalogue, pace, hints)
    }

    /// The work of a tray file or a rule, without a work server.
    package static let ofTray = TrayWork(TrayFileWork(), order: nil, lease: .seconds(120), station: nil)

    /// The units that a run has claimed, and those it has not.
    package struct Share: Sendable {
        var slots: [TraySlot] = []
        var grants: [String: ClaimAnswer.Grant] = [:]
        var denied: [(slot: TraySlot, reason: ClaimAnswer.Denial.Reason)] = []
        /// Slots that may be claimed later, for example when the order requires one unit to pass first.
        var later: [TraySlot] = []
        /// Slots that select a beacon by name only, and whose beacon was not heard, so that it cannot be identified.
        var unclaimable: [TraySlot] = []
        /// Recalled packages: the reason, by their SHA-256 in lower-case hexadecimal.
        var recalledFiles: [String: String] = [:]
        package var order: WorkOrder
        /// Whether the claims are from the journal, because the work server does not answer.
        var isFromJournal = false
        /// When the claims were requested, on the clock of leases.
        let asked: Duration

        /// The verdicts of the units that were not claimed, by slot.
        var verdicts: [String: UnitVerdict] {
            let known = denied.map { ($0.slot.label, TrayWork.verdict($0.reason)) }
            let unclaimed = TrayWork.verdict(
                .station.unitLater, "order \(order.number) is \(order.state.rawValue)")
            let unidentified = TrayWork.verdict(
                .station.slotUnclaimable,
                "it was not heard, and a name alone does not identify a beacon to other benches")
            return Dictionary(
                known + later.map { ($0.label, unclaimed) } + unclaimable.map { ($0.label, unidentified) }
            ) { first, _ in first }
        }
    }

    package static func verdict(_ reason: ClaimAnswer.Denial.Reason) -> UnitVerdict {
        let outcome: UnitOutcome =
            switch reason {
            case .done: .notNeeded
            // A later session of the run tries to claim it again.
            case .claimed, .claimedElsewhere: .aborted
            case .failed, .notInOrder, .full: .skipped
            }
        return verdict(reason.code, reason.words, outcome)
    }

    /// The verdict of a unit that is not worked on for the reason `code`. The default outcome `aborted` lets a later
    /// session work on it.
    static func verdict(
        _ code: FailureCode, _ message: String, _ outcome: UnitOutcome = .aborted
    ) -> UnitVerdict {
        UnitVerdict(
            outcome, code: code, during: "claiming the unit", message: message,
            nextStep: code.nextStep.withOptions)
    }

    /// Claims the units in `slots`; `heard` are the beacons in range, nil if there was no scan.
    func claim(_ slots: [TraySlot], heard: BeaconSightings?) async throws(WorkError) -> Share {
        let all = slots.map { (slot: $0, keys: Self.keys(of: $0, heard: heard)) }
        // An order identifies a beacon by a key that is the same at every bench.
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
            if let grant = answer.grants.first(where: { keys.contains($0.requestedKey) }) {
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

    /// The share of the run by its `claims` in the journal, for a restarted program. A claim counts if the machine was not
    /// restarted since, which restarts the clock of leases, and if it lasts long enough for a step. Nil if none counts.
    func recordedClaims(_ claims: [String: ClaimRecord], for slots: [TraySlot]) -> Share? {
        guard let order, let boot = MachineClock.boot else { return nil }
        let now = now
        var share = Share(
            order: WorkOrder(number: order, state: .open, firmware: .ofTray), isFromJournal: true, asked: now)
        for slot in slots {
            guard let claim = claims[slot.label], claim.order == order, claim.boot == boot,
                let left = claim.leaseEnd.map({ Duration.milliseconds($0) - now }),
                left > ClaimRenewer.stepTime
            else {
                share.later.append(slot)
                continue
            }
            share.slots.append(slot)
            // The margin was subtracted from the recorded end, and `Lease` subtracts it again.
            share.grants[slot.label] = ClaimAnswer.Grant(
                WorkClaim(order: order, key: claim.unit, epoch: claim.epoch), lease: left + Lease.margin,
                wasClaimedBefore: true, selector: claim.unit)
        }
        return share.slots.isEmpty ? nil : share
    }

    /// The keys by which an order may list the beacon of `slot`.
    package static func keys(of slot: TraySlot, heard: BeaconSightings?) -> [String] {
        let meanings = slot.device?.meanings ?? []
        let beacon = heard?.byStrength.first { beacon in
            slot.device?.matches(beacon) ?? false || meanings.contains(where: keys(of: beacon).contains)
        }
        return beacon.map { keys(of: $0, isSelected: slot.device?.matches($0) ?? false) } ?? meanings
    }

    /// The keys of a beacon. A bootloader has the keys of its application, because another bench may have started it. If it
    /// may be at the address above its application's, the key is the address below, unless it may also be at its
    /// application's address and its own address selects it (`isSelected`).
    private static func keys(of beacon: BeaconSighting, isSelected: Bool = false) -> [String] {
        let own = beacon.address
        let isAbove = beacon.mayBeAboveItsApplication && !(isSelected && beacon.mayBeAtItsApplication)
        // The address above is no key: of beacons with consecutive addresses, it is the next one's.
        let unit = isAbove ? own.neighbour(-1) : own
        return ["\(unit)/\(unit.kind.rawValue)"]
            + (beacon.identity.id.map { ["id:\($0.lowercased())"] } ?? [])
    }

    /// Whether a key is the same at every bench.
    private static func isShared(_ key: String) -> Bool {
        !key.hasPrefix("name:") && !key.hasPrefix("ibeacon:")
    }

    /// The state of the order; nil for a tray without an order.
    package func state() async throws(WorkError) -> OrderState? {
        guard let order else { return nil }
        return try await answer(about: order).order.state
    }

    /// The work server's answer to a claim of no beacon, which reports the state of `order`.
    func answer(about order: String) async throws(WorkError) -> ClaimAnswer {
        try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease))
    }

    struct Prepared: Sendable {
        let work: TrayWork
        /// The firmware of the order; nil if the station's own tray names it.
        let firmware: TrayFirmware?
        /// The error of a work server that does not answer: the order is then the cached one, and nothing new can be
        /// claimed. Nil if it answers.
        let unreachable: WorkError?
    }

    /// The work with the firmware of the order. Sends waiting results first: a new claim of their unit would make them
    /// late.
    func prepared(
        with journal: Journal, _ cache: FileCache?,
        telling tell: @escaping @Sendable (ResultSender.Event) -> Void
    ) async throws -> Prepared {
        let time = try EventLoop.shared.get().clock
        guard let order, let sender = sender(from: journal, time: time, telling: tell) else {
            return Prepared(work: self, firmware: nil, unreachable: nil)
        }
        var unreachable: WorkError?
        var known: CachedOrder
        do throws(WorkError) {
            _ = try await sender.deliverOnce()
            known = try await fetch(order)
        } catch {
            guard error.mayPass, let earlier = cache?.order(order) else { throw error }
            (known, unreachable) = (earlier, error)
        }
        if unreachable == nil { try cache?.store(known) }
        guard let cache else { return Prepared(work: self, firmware: nil, unreachable: unreachable) }
        switch known.firmware {
        case .ofTray: return Prepared(work: self, firmware: nil, unreachable: unreachable)
        case .file(let name, let sha256):
            let path = try await cache.path(of: sha256, called: name, from: source)
            return Prepared(work: self, firmware: .file(path), unreachable: unreachable)
        case .catalogue(let version, let withBeta):
            let folder = try await cache.folder(
                of: PublishedCatalogue(version: version, files: known.files), from: source)
            var work = self
            work.catalogue = version
            return Prepared(
                work: work, firmware: .catalogue(folder: folder, channel: withBeta ? .beta : .release),
                unreachable: unreachable)
        }
    }

    private func fetch(_ order: String) async throws(WorkError) -> CachedOrder {
        let order = try await answer(about: order).order
        guard case .catalogue(let version, _) = order.firmware else { return CachedOrder(order) }
        return CachedOrder(order, by: try await source.catalogue(version: version))
    }

    /// Sends the results in `journal` to the work server, as this station; nil for a bench without a work server.
    package func sender(
        from journal: Journal, time: Timekeeper,
        telling tell: @escaping @Sendable (ResultSender.Event) -> Void
    ) -> ResultSender? {
        guard let station else { return nil }
        let identity = StationIdentity(
            name: station, incarnation: journal.incarnation, machine: StationResults.machine)
        return ResultSender(
            from: journal, to: source, time: time.paced(pace),
            stationReport: { [catalogue] last, waiting, since in
                StationReport(
                    identity, program: Program.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, catalogue: catalogue, clock: .now)
            }, report: tell)
    }
}
