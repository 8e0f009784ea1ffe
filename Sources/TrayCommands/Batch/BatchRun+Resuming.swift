import Bluetooth
import CommandKit
import Firmware
import Tray
import TrayJournal
import UpdateModel

extension BatchRun {
    package enum Resumption: Equatable, Sendable {
        /// The latest run of the tray: units that have not ended, were aborted, or had an error of the bench;
        /// with `retryingFailed` also those that do not have their firmware.
        case latest(retryingFailed: Bool)
        /// The run with this id: units that the run changed and that do not have their firmware.
        case unitsLeft(inRun: String)
    }

    /// The run to resume. Its new session is not in the journal yet. `planner` advises what to do about attempts that
    /// were cut off.
    static func resuming(
        _ resumption: Resumption, of source: TraySource, for order: String?, in journal: Journal,
        advisedBy planner: BatchPlanner, radios: [String], simulated: Bool, checks: [Check]
    ) async throws -> BatchRun {
        let id =
            switch resumption {
            case .unitsLeft(let id): id
            case .latest: try await latest(of: source, for: order, simulated: simulated, in: journal)
            }
        guard var record = try await journal.record(of: id), let journalled = try await journal.run(id) else {
            throw missing("\(journal.path) has no run \(id)")
        }
        var targets: [TrayTarget] = []
        var open: Set<String> = []
        for index in record.units.indices {
            let unit = record.units[index]
            guard let device = device(of: unit, in: source) else { continue }
            let steps = try await journal.changes(of: record.id, slot: unit.slot)
            guard isWanted(unit, resumption, wasChanged: !steps.isEmpty) else { continue }
            try await closeCutOff(&record.units[index], after: steps, advisedBy: planner, in: journalled)
            if isOpen(unit) { open.insert(unit.slot) }
            record.units[index].verdict = nil
            targets.append(
                TrayTarget(
                    slot: unit.slot, device: device, label: source.slots.first { $0.label == unit.slot }?.id,
                    mayBeInBootloader: !steps.isEmpty,
                    mayBeInstalled: unit.mayBeInstalled(
                        by: Set(steps.filter { $0.change.step == .activate }.map(\.attempt))),
                    bootloaders: bootloader(of: unit, after: steps.map(\.change)).map { [$0] } ?? []))
        }
        let retriesFailed = resumption == .latest(retryingFailed: true)
        try require(
            !targets.isEmpty, .tray.runComplete, during: "looking for the run",
            message: retriesFailed
                ? "every unit of the latest run has its firmware" : "the latest run of this tray is complete",
            nextStep: retriesFailed
                ? "no action is needed; for a new run, omit \(Setting.retryFailed.option)" : nil)
        let session = TrayRecord.Session(
            beginning: (record.sessions.last?.number ?? 0) + 1, on: radios, after: checks)
        return BatchRun(
            source: source, journal: journal, journalled: journalled, record: record, session: session,
            targets: targets, share: nil, open: open)
    }

    private static func latest(
        of source: TraySource, for order: String?, simulated: Bool, in journal: Journal
    ) async throws -> String {
        let place = (source.place ?? "units chosen by --rule") + (simulated ? " with simulated beacons" : "")
        let latest = try await journal.latestRun(of: source.place, simulated: simulated)
        guard let order else {
            guard let latest else { throw missing("\(journal.path) has no run of \(place)") }
            return latest.run.id
        }
        if let own = try await journal.latestRun(of: source.place, for: order, simulated: simulated) {
            return own.run.id
        }
        let other = latest.map {
            "; its latest run is for \($0.run.orderNumber.map { "order \($0)" } ?? "no order")"
        }
        throw missing("\(journal.path) has no run of \(place) for order \(order)\(other ?? "")")
    }

    private static func missing(_ message: String) -> CommandFailure {
        CommandFailure(.tray.runMissing, during: "looking for the run", message: message)
    }

    private static func isWanted(_ unit: UnitRecord, _ resumption: Resumption, wasChanged: Bool) -> Bool {
        switch resumption {
        case .latest(let retryingFailed):
            isOpen(unit) || retryingFailed && unit.verdict?.outcome.isGood != true
        case .unitsLeft: wasChanged && unit.verdict?.outcome.isGood != true
        }
    }

    private static func isOpen(_ unit: UnitRecord) -> Bool {
        [nil, .aborted, .error].contains(unit.verdict?.outcome)
    }

    /// Where to look for the unit: the address where it was found, else the selector of its slot.
    private static func device(of unit: UnitRecord, in source: TraySource) -> DeviceSelector? {
        let slot = source.slots.first { $0.label == unit.slot }
        return unit.address.flatMap { DeviceSelector($0) } ?? slot?.device
            ?? unit.device.flatMap { DeviceSelector($0) }
    }

    /// Where the unit's bootloader was last sent firmware, if that is neither the application's address nor the one after
    /// it, where it is looked for anyway; otherwise nil.
    private static func bootloader(of unit: UnitRecord, after steps: [ChangeRecord]) -> DeviceAddress? {
        guard let application = unit.address.flatMap({ DeviceSelector($0)?.addresses.first }),
            let last = steps.last(where: { $0.step == .update }),
            let address = DeviceSelector(last.address)?.addresses.first
        else { return nil }
        return [application, application.neighbour(1)].contains(address) ? nil : address
    }

    /// Closes attempts without an end, which were cut off by a crash or a power failure. The `steps`, each
    /// recorded before it is taken, show how far they got.
    private static func closeCutOff(
        _ unit: inout UnitRecord, after steps: [(attempt: Int, change: ChangeRecord)],
        advisedBy planner: BatchPlanner, in journalled: JournalledRun
    ) async throws {
        for index in unit.attempts.indices where unit.attempts[index].verdict == nil {
            let taken = steps.filter { $0.attempt == unit.attempts[index].number }.map(\.change)
            unit.attempts[index].phases += taken.compactMap { $0.phase(since: unit.attempts[index].began) }
            var verdict = UnitVerdict(
                .aborted, code: .tray.cutOff, during: "running the tray",
                message: "the program ended during the attempt", state: UnitState(cutOffAfter: taken))
            verdict.addNextStep(from: planner)
            unit.attempts[index].verdict = verdict
            // The attempt was last recorded before it ended, perhaps before firmware was sent.
            if unit.attempts.timesSent == 0, taken.contains(where: { $0.step == .update }) {
                unit.attempts[index].timesSent = 1
            }
            try await journalled.note(unit.attempts[index], of: unit.slot)
        }
    }
}

extension ChangeRecord {
    /// The phase of an update that begins with the step, if any.
    fileprivate func phase(since begin: RecordedTime) -> AttemptRecord.Phase? {
        let name: UpdatePhase? =
            switch step {
            case .enterBootloader: .enteringBootloader
            case .update: .preparing
            case .activate: .activating
            case .configure: nil
            }
        return name.map { AttemptRecord.Phase($0.rawValue, at: max(0, at.seconds(since: begin))) }
    }
}

extension UnitState {
    /// The state of a unit whose update was cut off after these steps were recorded, the last of which may not have
    /// been taken; nil if none of them changes its firmware.
    fileprivate init?(cutOffAfter steps: [ChangeRecord]) {
        guard let last = steps.last(where: { $0.step != .configure }) else { return nil }
        let (application, fate): (DeviceState.Application, String) =
            switch last.step {
            case .enterBootloader, .configure: (.intact, "it was about to start its bootloader")
            case .update: (.unknown, "it was being sent firmware, so its old application may be erased")
            case .activate:
                (.unknown, "it was about to start the new firmware, so it may run that or the old one")
            }
        self.init(unknownAt: last.address, application: application, "when the program ended, \(fate)")
    }
}
