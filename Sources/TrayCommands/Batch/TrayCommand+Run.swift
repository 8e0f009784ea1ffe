import Bluetooth
import Bytes
package import CommandKit
import Firmware
import Logging
import Tray
package import TrayJournal
import UpdateEngine
package import UpdateModel

extension TrayCommand {
    /// Runs the tray until it is complete, held or stopped: a new run, or an earlier one. Nil if the station
    /// can claim none of the units that an earlier run has left.
    package func run(
        _ source: TraySource, _ planner: BatchPlanner, _ work: TrayWork, in journal: Journal,
        resuming resumption: BatchRun.Resumption?, _ console: Console
    ) async throws -> ExitStatus? {
        let log = try common.logger(under: outputs)
        return try await radio.withAdapters(log: log, under: outputs.protecting([common.logFile])) { radios in
            // A simulated adapter exists in this process only, and needs no lock.
            let locks =
                try radio.isSimulated
                ? [] : radios.map { (radio) throws(CommandFailure) in try radio.reserved() }
            defer { withExtendedLifetime(locks) {} }
            // An adapter that cannot work is reported before any of them is used.
            for radio in radios { try await radio.requireListening() }
            // A page that cannot be served is reported before anything is started.
            return try await RunPage.serving(record.view ? journal.path : nil, console) { page in
                let beginning = try await beforeRun(isRecorded: resumption != nil) {
                    try await prepared(
                        source, planner, work, in: journal, resuming: resumption, with: radios, page, console)
                }
                // A stop request from here on ends the run, which then has a report.
                guard let beginning else { return nil }
                let batch = try await beginning()
                tell(batch, console)
                page?.tell(batch.started)
                console.event(batch.started)
                let summary = try await run(batch, planner, work, radios, page, log, console)
                page?.tell(summary.finished)
                // The summary is printed even if the report cannot be written.
                defer { summary.print(on: console) }
                do throws(CommandFailure) { try reports.write(summary.record, under: outputs, console) } catch
                {
                    let place = ShellWord.quoted(journal.path)
                    throw error.adding(
                        toNextStep:
                            "then `beacon-dfu history --run \(summary.record.id) --report FILE --journal "
                            + "\(place)` writes it from the journal")
                }
                return summary.status
            }
        }
    }

    /// Runs `body`, which prepares a run; the first stop request ends it. `isRecorded`: whether the journal has the run
    /// already, from an earlier session.
    func beforeRun<Value: Sendable>(
        isRecorded: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do { return try await cancellingAtStopRequest { try await body() } } catch is CancellationError {
            let words =
                isRecorded
                ? "no unit of this session was begun"
                : "no unit of this run was begun: it is not in the journal"
            let reports = record.report.isEmpty ? "" : ", and its report was not written"
            throw CommandFailure(
                .system.interrupted, during: "preparing the run", message: words + reports,
                nextStep: units.codes == "-" && !isRecorded
                    ? "run the same command again, and give all codes again" : nil)
        }
    }

    /// The beginning of a new run with its units, or of the next session of the run that `resumption` selects; nil if
    /// none of its units can be claimed.
    private func prepared(
        _ source: TraySource, _ planner: BatchPlanner, _ work: TrayWork, in journal: Journal,
        resuming resumption: BatchRun.Resumption?, with radios: [NamedAdapter], _ page: RunPage?,
        _ console: Console
    ) async throws -> BatchRun.Beginning? {
        let names = radios.map(\.name)
        let checks = await self.checks(journal, console)
        if let resumption {
            do {
                let batch = try await claiming(
                    try await BatchRun.resuming(
                        resumption, of: source, for: work.order, in: journal, advisedBy: planner,
                        radios: names, simulated: try radio.isSimulated, checks: checks), of: work)
                if case .unitsLeft(let id) = resumption {
                    guard !batch.targets.isEmpty else { return nil }
                    console.warn(
                        .station.runContinued,
                        "run \(id) of this order left units unfinished; it is resumed before anything else")
                }
                return { try await batch.reopened() }
            } catch let failure as CommandFailure where failure.code == .tray.runComplete {
                // A program that was killed after its last unit may have left results for hooks.
                let hooks = BatchHooks(record.hooks, journal, TrayRecord(id: ""))
                try await hooks.delivering {}
                try await hooks.warn(on: console)
                throw failure
            }
        }
        var source = source
        var heard: BeaconSightings?
        try await checkOpen(work)
        let survey = try survey(with: radios, of: source)
        if let condition = source.condition {
            try await survey.scan(until: units.goal(of: source), telling: console)
            source.slots = try survey.slots(matching: condition, expecting: source.expected)
            heard = survey.heard
        } else if let codes = units.codes {
            let filling = try CodeFilling(
                path: codes, overrides: Set(units.allow), journal: journal,
                sha256: try ownFile(of: source), isSimulated: try self.radio.isSimulated, survey: survey)
            let all = source.slots.count
            source.slots = try await filling.fill(source.slots, console, page)
            try require(
                !source.slots.isEmpty || all == 0, .tray.trayEmpty, during: "filling the slots",
                message: "every slot was skipped",
                nextStep: "run the same command again, and give at least one slot a code")
            if source.slots.count < all { source.expected = source.slots.count }
            heard = survey.heard
        } else if work.order != nil {
            // The scan finds the beacons' addresses and ids, by which other benches know them.
            try await survey.scan(until: .devices(source.slots.compactMap(\.device)), telling: console)
            heard = survey.heard
        }
        guard !source.slots.isEmpty else { throw noBeaconMatches(expecting: source.expected, by: radios) }
        if let labels = source.slots.runs(where: { $0.device == nil }) {
            throw units.codes == nil
                ? CommandFailure(
                    .tray.slotEmpty, during: "reading the tray",
                    message: "no beacon is given for slot \(labels)")
                : CommandFailure(
                    .tray.slotEmpty, during: "filling the slots",
                    message: "the codes ended before these slots: \(labels)",
                    nextStep: units.codes == "-"
                        ? "run the same command again, and scan a code for each slot, or type `skip` or `end`"
                        : "add the missing codes, or remove the slots from the tray file")
        }
        let share = try await work.claim(source.slots, heard: heard)
        if share.slots.isEmpty { throw nothingClaimed(share) }
        return { [source, heard] in
            try await warnOfOpenRun(of: source, in: journal, console)
            return try await BatchRun.beginning(
                source, share, heard: heard, in: journal, radios: names, simulated: try radio.isSimulated,
                checks: checks)
        }
    }

    private func survey(with radios: [NamedAdapter], of source: TraySource) throws -> UnitSurvey {
        let time = try radios.first?.adapter.time ?? EventLoop.shared.get().clock
        return UnitSurvey(with: radios, for: .seconds(units.scanTime), order: source.order, time: time)
    }

    /// Warns that a new run replaces one that could have been resumed.
    private func warnOfOpenRun(of source: TraySource, in journal: Journal, _ console: Console) async throws {
        guard let place = source.place else { return }
        let isSimulated = try radio.isSimulated
        for open in try await journal.unfinishedRuns()
        where open.run.tray == place && (open.run.isSimulated == true) == isSimulated {
            console.warn(
                .tray.runSuperseded,
                "run \(open.run.id) of this tray was not complete; this new run replaces it for --resume")
        }
    }

    /// The checks of the bench before the run, which the journal keeps; problems are reported. `doctor
    /// --tray` checks more.
    private func checks(_ journal: Journal, _ console: Console) async -> [Check] {
        var facts = await BenchSurvey.machine(journal: journal.path)
        facts.isSimulated = (try? radio.isSimulated) == true
        let checks = Check.bench(facts)
        for check in checks where check.verdict == .problem {
            console.warn(.tray.benchCheck, "\(check.name): \(check.message)")
        }
        return checks
    }

    private func noBeaconMatches(expecting expected: Int?, by radios: [NamedAdapter]) -> CommandFailure {
        let words = "no beacon in range matches this tray (scanned for \(Quantities.seconds(units.scanTime)))"
        let more = expected.map { ", and \($0) \($0 == 1 ? "unit was" : "units were") expected" }
        return CommandFailure(
            expected == nil ? .tray.trayEmpty : .device.deviceNotFound, during: "looking for the units",
            message: words + (more ?? ""),
            nextStep: "`beacon-dfu scan` shows the beacons in range, and what they advertise"
        ).addingCodedAdvice(for: radios.map(\.adapter))
    }

    /// The SHA-256 of the tray's firmware file; nil if a catalogue chooses, or only slots name files.
    private func ownFile(of source: TraySource) throws -> String? {
        guard case .file(let path)? = source.firmware else { return nil }
        return try FileContent(path: source.resolved(path)).sha256
    }

    /// Runs a session; its results are in the journal when this returns.
    private func run(
        _ batch: BatchRun, _ planner: BatchPlanner, _ work: TrayWork, _ radios: [NamedAdapter],
        _ page: RunPage?, _ log: Logger, _ console: Console
    ) async throws -> BatchSummary {
        let limits = batch.source.limits
        var planner = planner
        planner.codedAdvice = CodedReception.advice(of: radios.map(\.adapter))
        let runAdapters = radios.enumerated().map { index, radio in
            RunAdapter(AdapterNumber(index), radio.name, radio.adapter, slots: slots(limits.links))
        }
        let plan = TrayPlan(
            planner.sending.targets(batch.targets), records: batch.records,
            rules: runOptions.rules(
                for: batch.targets.count, limits, isProven: batch.hasPassed || work.order != nil),
            attempts: limits.attempts ?? 1, waitsOnHold: page != nil || BatchView.hasPerson(console),
            session: batch.session.number)
        let hooks = BatchHooks(record.hooks, batch.journal, batch.record)
        let loop = try EventLoop.shared.get()
        let view = BatchView(
            plan, runAdapters, title: title(of: batch.source), page: page, console,
            time: radios.first?.adapter.time ?? loop.clock)
        defer { view.close() }
        let workSession = WorkSession(work, batch.journalled, time: loop.clock) { console.report($0) }
        if let share = batch.share { try await workSession?.keep(share) }
        let run = TrayRun(
            plan, over: runAdapters, planner: planner,
            journal: BatchJournal(run: batch.journalled, hooks: hooks, workSession: workSession), log: log
        ) { view.show($0) }
        let ending = try await hooks.delivering {
            try await handlingRequests(telling: view, with: workSession) { try await run.run(obeying: $0) }
        }
        view.close()
        try await hooks.warn(on: console)
        return BatchSummary(
            record: try await batch.ended(ending, mostBytesPerSecond: view.mostBytesPerSecond),
            wasStopped: view.wasStopped, options: RepeatedOptions(radio, secrets: install.secrets.secrets))
    }

    /// The title of the view: the tray file's name and the work order.
    private func title(of source: TraySource) -> String {
        [source.place?.lastName, source.orderNumber].compactMap(\.self).joined(separator: " · ")
    }

    /// How many links an adapter may have. On a kernel adapter, the limit is not searched for: Debian's 6.1 crashes when the
    /// controller refuses a link and the socket that requested it is closed (docs/decisions/0011).
    private func slots(_ links: Int?) -> LinkSlots {
        LinkSlots(permitted: links ?? ((try? radio.isSimulated) == true ? nil : LinkSlots.usual))
    }

    /// Runs `body`, and passes on Ctrl-C: the first starts no further unit, the second stops the running ones.
    private func handlingRequests<Ending: Sendable>(
        telling view: BatchView, with workSession: WorkSession?,
        _ body: @escaping @Sendable (AsyncStream<TrayControl>) async throws -> Ending
    ) async throws -> Ending {
        let (controls, sender) = AsyncStream.makeStream(of: TrayControl.self)
        let loop = try EventLoop.shared.get()
        return try await withThrowingTaskGroup(of: Ending?.self) { group in
            group.addTask {
                guard let workSession else { return try await body(controls) }
                return try await workSession.run(controlling: { sender.yield($0) }) {
                    try await body(controls)
                }
            }
            group.addTask {
                await view.serve(on: loop) { sender.yield($0) }
                return nil
            }
            group.addTask {
                for control in [TrayControl.stop, .abort] {
                    let stopRequests = StopSignals.stopRequests
                    await stopRequests.wait(by: loop)
                    // A request that ends the wait for the work server stays pending, so that it also ends what the
                    // command does after the run.
                    guard !Task.isCancelled, workSession?.giveUpWaiting() != true else { break }
                    stopRequests.remove()
                    view.noteStopRequest(control)
                    sender.yield(control)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let end = try await group.next() { if let end { return end } }
            throw CancellationError()
        }
    }

    /// Writes a tray file with the beacons that match the conditions.
    func writeTray(of source: TraySource, to path: String, _ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        return try await radio.withAdapters(log: log, under: outputs.protecting([common.logFile])) { radios in
            let survey = try survey(with: radios, of: source)
            try await cancellingAtStopRequest {
                try await survey.scan(until: units.goal(of: source), telling: console)
            }
            let slots = try survey.slots(
                matching: source.condition ?? { _ in true }, expecting: source.expected)
            guard !slots.isEmpty else { throw noBeaconMatches(expecting: source.expected, by: radios) }
            let tray = try TrayFile(
                units: .slots(slots), firmware: source.firmware.map(source.withAbsolutePaths),
                limits: source.limits,
                station: source.station, operatorName: source.operatorName, orderNumber: source.orderNumber)
            let kind = OutputKind.format("tray file", beginnings: [Array("tray: 1".utf8)])
            try OutputFile.write(Array(tray.text.utf8), to: path, as: kind, under: outputs)
            console.event(JSONLine("tray-written", ["file": .text(path), "units": .integer(slots.count)]))
            if !console.style.isJSON { console.result("\(path): \(slots.count) units") }
            return .done
        }
    }
}
