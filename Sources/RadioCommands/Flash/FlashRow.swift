import ArgumentParser
import Bluetooth
import CommandKit
import Firmware
import FoundationEssentials
import Synchronization
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel

/// The journal's record of a single update: a run of one unit without a tray. As for a tray, each step is
/// recorded before it is taken.
///
/// A write error does not stop an update that has begun: it is reported, and the update continues.
final class FlashRow: Sendable {
    /// The unit's label in its run.
    private static let slot = "1"
    private static let unit = UnitNumber(0)

    private let journalled: JournalledRun
    private let session: TrayRecord.Session
    private let firmware: FirmwareRecord
    private let recorder: AttemptRecorder
    private let time: Timekeeper
    private let console: Console
    private let isBroken = Mutex(false)

    private init(
        _ journalled: JournalledRun, _ session: TrayRecord.Session, _ firmware: FirmwareRecord,
        _ recorder: AttemptRecorder, _ time: Timekeeper, _ console: Console
    ) {
        (self.journalled, self.session, self.firmware) = (journalled, session, firmware)
        (self.recorder, self.time, self.console) = (recorder, time, console)
    }

    /// Records the start of a planned update. Nil if it is not to be recorded, or cannot be: a failure is a
    /// warning, or an error if the journal was named on the command line.
    static func begin(
        _ planned: PlannedFlash, selectedBy selector: DeviceSelector?, over radio: NamedAdapter,
        simulated: Bool, _ options: FlashRecordOptions, _ console: Console
    ) async throws -> FlashRow? {
        guard !options.noJournal else { return nil }
        let (found, beacon) = (planned.found, planned.found.beacon)
        let firmware = FirmwareRecord(planned.job, sha256: planned.sha256)
        let attempt = AttemptRecord(
            number: 1, session: 1, adapter: radio.name, began: .now,
            address: beacon.address.withKind, firmware: firmware,
            versionBefore: planned.installed)
        var unit = UnitRecord(slot: slot, device: selector.map { "\($0)" })
        unit.note(beacon, silentApplication: found.silentApplication)
        unit.attempts = [attempt]
        var record = TrayRecord(id: UUID().uuidString.lowercased())
        (record.isSingle, record.isSimulated) = (true, simulated ? true : nil)
        let session = TrayRecord.Session(beginning: 1, on: [radio.name])
        (record.sessions, record.units) = ([session], [unit])
        guard let path = try? options.journal.path(simulated: simulated) else {
            warn("journal-missing: neither HOME nor XDG_STATE_HOME is set", console)
            return nil
        }
        let journalled: JournalledRun
        do throws(JournalError) {
            journalled = try await Journal.openWithoutLock(path, creating: true).begin(record)
        } catch {
            let failure = CommandFailure(error)
            guard options.journal.journal == nil else { throw failure }
            warn("\(failure.code): \(failure.message)", console)
            return nil
        }
        return FlashRow(
            journalled, session, firmware, AttemptRecorder(attempt, at: radio.adapter.time.now),
            radio.adapter.time, console)
    }

    private static func warn(_ cause: String, _ console: Console) {
        console.warn(
            .journal.flashUnrecorded,
            "this update is missing or incomplete in the journal (\(cause)); name another journal with --journal, or give --no-journal"
        )
    }

    func note(_ event: UpdateEvent) { recorder.note(event, of: Self.unit, at: time.now) }

    func note(_ facts: ApplicationFacts) { recorder.note(facts) }

    func willChange(_ change: DeviceChange) async {
        let unwritten = recorder.takeUnjournalled()
        await write { (run) throws(JournalError) in
            if let unwritten { try await run.note(unwritten, of: Self.slot) }
            try await run.willChange(
                ChangeRecord(change, firmware), in: recorder.record.number, of: Self.slot)
        }
    }

    func end(_ report: UpdateReport) async {
        recorder.note(report)
        await end(
            report.verified == .no && !report.hasNoApplication
                ? UnitVerdict(.unknown, message: "the update was not verified")
                : UnitVerdict(report, acceptingReappearance: true))
    }

    /// Records `failure`, as it is printed; `options` are those of the command, for the commands in the beacon's state.
    func end(_ failure: CommandFailure, repeating options: RepeatedOptions) async {
        await end(UnitVerdict(failure).repeating(options))
    }

    private func end(_ verdict: UnitVerdict) async {
        let attempt = recorder.ended(verdict, at: time.now)
        // The end is written even if an earlier step could not be recorded: it matters most.
        await write(evenAfterFailure: true) { (run) throws(JournalError) in
            try await run.close(Self.slot, verdict, ending: attempt, at: .now)
            var session = session
            session.ended = .now
            try await run.note(session)
        }
        journalled.journal.close()
    }

    private func write(
        evenAfterFailure isEnd: Bool = false, _ body: (JournalledRun) async throws(JournalError) -> Void
    ) async {
        guard isEnd || !isBroken.withLock({ $0 }) else { return }
        do throws(JournalError) { try await body(journalled) } catch {
            isBroken.withLock { $0 = true }
            Self.warn("\(error.code): \(error)", console)
        }
    }
}
