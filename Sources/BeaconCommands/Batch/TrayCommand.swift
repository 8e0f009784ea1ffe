import ArgumentParser
import Catalogue
package import Stations
import Tray
import TrayJournal

/// What is done with a tray, by whichever command: its options, and where its units come from.
package struct TrayCommand: Sendable {
    let tray: String?
    let units: UnitOptions
    var course: CourseOptions
    let record: RecordOptions
    let radio: AdapterOptions
    let install: InstallOptions
    let common: CommonOptions
    let outputs: OutputRule
    let work: TrayWork
    /// Where files of an engine are kept.
    let cache: FileCache?

    /// A run as described.
    package init(
        tray: String?, units: UnitOptions, course: CourseOptions, record: RecordOptions,
        radio: AdapterOptions, install: InstallOptions, common: CommonOptions, outputs: OutputRule,
        work: TrayWork, cache: FileCache? = nil
    ) {
        (self.tray, self.units, self.course, self.record) = (tray, units, course, record)
        (self.radio, self.install, self.common, self.outputs) = (radio, install, common, outputs)
        (self.work, self.cache) = (work, cache)
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        let reports = try ReportFiles(record.report)
        try reports.check(under: outputs)
        guard work.order == nil else { return try await performOrder(reports, console) }
        let source = try source()
        let planner = try planner(for: source, console)
        if let fromScan = units.fromScan { return try await writeTray(of: source, to: fromScan, console) }
        let journal = try await Journal.open(
            at: try record.journal.path(), owner: JournalOwner(tray: source.place))
        defer { journal.close() }
        return try await run(source, planner, work, in: journal, reports, console)
    }

    /// The same without going on with an earlier run.
    package var beginningAnew: TrayCommand {
        var command = self
        (command.course.resume, command.course.retryFailed) = (false, false)
        return command
    }

    /// The same for a work order: what its units get is the engine's to say.
    private func performOrder(_ reports: ReportFiles, _ console: Console) async throws -> ExitStatus {
        let journal = try await Journal.open(at: try record.journal.path(), owner: JournalOwner(tray: tray))
        defer { journal.close() }
        let prepared = try await work.prepared(with: journal, cache)
        let (work, firmware) = (prepared.work, prepared.firmware)
        if units.catalogueKey != nil, case .file? = firmware {
            throw CommandFailure(
                "order-unsigned", during: "reading the order",
                message:
                    "order \(work.order ?? "") installs a file, and this station takes signed catalogues only"
            )
        }
        let source = try source(getting: firmware)
        if source.isOverruled {
            console.warn(
                "tray-firmware-unused",
                "the order says what its units get; what the tray file says of it is not used")
        }
        let planner = try planner(for: source, console)
        guard !course.resume, !course.retryFailed, let cut = try await cutRun(of: source, in: journal) else {
            if let away = prepared.away, !course.resume { throw away }
            return try await run(source, planner, work, in: journal, reports, console)
        }
        // A beacon that was left in its bootloader is called otherwise there: only the journal knows it.
        console.warn(
            "run-continued",
            "run \(cut) of this order was cut off with units begun; it is gone on with before anything else")
        var resumed = self
        resumed.course.resume = true
        let status = try await resumed.run(source, planner, work, in: journal, ReportFiles([]), console)
        guard status != .interrupted, prepared.away == nil else { return status }
        return try await run(source, planner, work, in: journal, reports, console)
    }

    /// The run of the same tray and order that has units which were begun, and are not finished; nil for none.
    private func cutRun(of source: TraySource, in journal: Journal) async throws -> String? {
        for open in try await journal.unfinishedRuns()
        where open.run.tray == source.place && open.run.orderNumber == source.orderNumber {
            guard let record = try await journal.record(of: open.run.id) else { continue }
            for unit in record.units where unit.verdict == nil || unit.verdict?.outcome == .aborted {
                let changes = try await journal.changes(of: open.run.id, slot: unit.slot)
                if !changes.isEmpty { return open.run.id }
            }
        }
        return nil
    }

    /// The tray, with what the command line says besides.
    private func source(getting ordered: TrayFirmware? = nil) throws -> TraySource {
        var source: TraySource
        if units.rule.isEmpty, let tray {
            source = try TraySource(path: tray, isOrdered: ordered != nil)
        } else {
            let channel = units.beta ? CatalogueChannel.beta : .release
            let firmware =
                ordered ?? tray.map(TrayFirmware.file)
                ?? .catalogue(folder: units.source.path, channel: channel)
            source = TraySource(units.rule, getting: firmware, expecting: units.expected)
        }
        if !units.config.isEmpty { source.settings = units.config }
        if let ordered { source.takeOrder(ordered) }
        if work.order != nil, source.place == nil { source.place = work.order.map { "order:\($0)" } }
        source.station = work.station ?? record.station ?? source.station
        source.operatorName = record.operatorName ?? source.operatorName
        source.orderNumber = work.order ?? record.orderNumber ?? source.orderNumber
        source.limits = try course.limits(over: source.limits)
        return source
    }

    /// What decides about each unit. Every file that is named is read and judged before anything is done to a unit.
    private func planner(for source: TraySource, _ console: Console) throws -> BatchPlanner {
        let (common, bySlot) = try source.sources(
            leavingBattery: !install.minBattery.isEmpty, signedBy: units.source.requireSignedCatalogue)
        let planner = BatchPlanner(
            common: common, sources: bySlot, install: install,
            acceptsReappearance: course.accept.contains(.reappeared),
            settings: try TraySettings(source.settings),
            secrets: try install.secrets.keeper(capturing: radio.capture, console))
        try planner.checkFiles()
        return planner
    }
}
