import ArgumentParser
package import CommandKit
import Firmware
import Tray
import TrayJournal
package import UpdateModel
package import Work

extension ExitStatus {
    /// Of the statuses of two runs, the one with the larger weight is reported.
    fileprivate var weight: Int {
        [.nothingToDo, .done, .deviceNotFound, .tryAgain].firstIndex(of: self)
            ?? (self == .interrupted ? 5 : 4)
    }
}

extension ExitStatus? {
    fileprivate func worse(_ other: ExitStatus?) -> ExitStatus? {
        guard let self, let other else { return self ?? other }
        return self.weight < other.weight ? other : self
    }
}

/// A run of a tray, whichever command starts it: its options, and where its units come from.
package struct TrayCommand: Sendable {
    package let tray: String?
    package let units: UnitOptions
    package var runOptions: RunOptions
    package let record: RecordOptions
    package let radio: AdapterOptions
    package let install: InstallOptions
    package let common: CommonOptions
    package let outputs: OutputRule
    package let work: TrayWork
    package let cache: FileCache?
    let reports: ReportFiles

    /// Throws for a report path whose ending is not that of a report format.
    package init(
        tray: String?, units: UnitOptions, runOptions: RunOptions, record: RecordOptions,
        radio: AdapterOptions, install: InstallOptions, common: CommonOptions, outputs: OutputRule,
        work: TrayWork, cache: FileCache? = nil
    ) throws {
        (self.tray, self.units, self.runOptions, self.record) = (tray, units, runOptions, record)
        (self.radio, self.install, self.common, self.outputs) = (radio, install, common, outputs)
        (self.work, self.cache) = (work, cache)
        reports = try ReportFiles(record.report)
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        try reports.check(under: outputs)
        guard work.order == nil else { return try await performOrder(console) }
        let source = try source()
        let (planner, seals) = try planner(for: source, console)
        if let fromScan = units.fromScan { return try await writeTray(of: source, to: fromScan, console) }
        let journal = try await Journal.open(
            at: try record.journal.path(simulated: try radio.isSimulated),
            owner: JournalOwner(tray: source.place))
        defer { journal.close() }
        try await check(seals, in: journal)
        return try await run(
            source, planner, work, in: journal, resuming: resumption, console) ?? .nothingToDo
    }

    private var resumption: BatchRun.Resumption? {
        runOptions.resume || runOptions.retryFailed ? .latest(retryingFailed: runOptions.retryFailed) : nil
    }

    /// The files other than the tray that are read, which outputs must not overwrite.
    package static func inputs(_ units: UnitOptions, _ radio: AdapterOptions, _ install: InstallOptions)
        -> [String?]
    {
        [radio.scenario, units.codes, units.source.requireSignedCatalogue] + units.config + install.inputs
    }

    package var asNewRun: TrayCommand {
        var command = self
        (command.runOptions.resume, command.runOptions.retryFailed) = (false, false)
        return command
    }

    /// Performs a work order; the work server decides what its units get.
    private func performOrder(_ console: Console) async throws -> ExitStatus {
        let journal = try await Journal.open(at: try record.journal.path(), owner: JournalOwner(tray: tray))
        defer { journal.close() }
        let prepared = try await beforeRun(isRecorded: resumption != nil) {
            try await self.work.prepared(with: journal, cache) { console.report(.results($0)) }
        }
        let (work, firmware) = (prepared.work, prepared.firmware)
        if units.catalogueKey != nil, case .file? = firmware {
            throw CommandFailure(
                .station.orderUnsigned, during: "reading the order",
                message:
                    "order \(work.order ?? "") installs a file, but this station accepts only signed catalogues"
            )
        }
        let source = try source(getting: firmware)
        if source.isOverruled {
            console.warn(
                .station.trayFirmwareUnused,
                "the order sets the firmware of its units; the firmware in the tray file is not used")
        }
        let (planner, seals) = try planner(for: source, console)
        try await check(seals, in: journal)
        var worst: ExitStatus?
        if resumption == nil, let order = work.order {
            // A beacon that was left in its bootloader has another address there: only the journal identifies it.
            for left in try await journal.runsLeavingUnits(
                of: source.place, for: order, simulated: try radio.isSimulated)
            {
                worst = try await run(
                    source, planner, work, in: journal, resuming: .unitsLeft(inRun: left.run.id), console
                ).worse(worst)
                if worst == .interrupted { return .interrupted }
            }
            if let unreachable = prepared.unreachable {
                guard let worst else { throw unreachable }
                return worst
            }
        }
        do {
            return try await run(
                source, planner, work, in: journal, resuming: resumption, console
            ).worse(worst) ?? .nothingToDo
        } catch let failure as CommandFailure {
            // The units left by earlier runs were all there was to do.
            guard let worst, [.station.nothingClaimed, .tray.trayEmpty].contains(failure.code) else {
                throw failure
            }
            return worst
        }
    }

    private func source(getting ordered: TrayFirmware? = nil) throws -> TraySource {
        var source: TraySource
        guard units.release == nil || !units.rule.isEmpty && tray == nil && ordered == nil else {
            throw ValidationError(
                "--release is for units of a --rule that get a catalogue's release; a tray file has 'release' under "
                    + "'catalogue'")
        }
        if units.rule.isEmpty, let tray {
            source = try TraySource(path: tray, isOrdered: ordered != nil)
        } else {
            let channel = units.beta ? CatalogueChannel.beta : .release
            let firmware =
                ordered ?? tray.map(TrayFirmware.file)
                ?? .catalogue(folder: units.source.path, channel: channel, release: units.release)
            source = TraySource(units.rule, getting: firmware, expecting: units.expected)
        }
        if !units.config.isEmpty { source.settings = units.config }
        if let ordered { source.applyOrder(ordered) }
        if work.order != nil, source.place == nil { source.place = work.order.map { "order:\($0)" } }
        source.station = work.station ?? record.station ?? source.station
        source.operatorName = record.operatorName ?? source.operatorName
        source.orderNumber = work.order ?? record.orderNumber ?? source.orderNumber
        source.limits = try runOptions.limits(over: source.limits)
        return source
    }

    /// The planner for the units. Every file that is named is read and checked before anything is done to a unit.
    private func planner(
        for source: TraySource, _ console: Console
    ) throws -> (BatchPlanner, seals: [VerifiedSeal]) {
        let (common, bySlot, seals) = try source.sources(
            leavingBattery: !install.minBattery.isEmpty, signedBy: units.source.requireSignedCatalogue)
        let planner = BatchPlanner(
            common: common, sources: bySlot, sending: try UnitSending(install.sending, for: source),
            install: install, acceptsReappearance: runOptions.accept.contains(.reappeared),
            settings: try TraySettings(source.settings),
            secrets: try install.secrets.secretStore(capturing: radio.capture, console),
            repeated: RepeatedOptions(radio, secrets: install.secrets.secrets), isOwnRun: work.order == nil)
        try planner.checkFiles()
        return (planner, seals)
    }

    /// Refuses catalogues older than those seen before, and remembers the others.
    private func check(_ seals: [VerifiedSeal], in journal: Journal) async throws {
        let acceptsOlder = install.force.contains(.olderCatalogue)
        guard !acceptsOlder || !seals.isEmpty else {
            throw InstallOptions.failure(
                ofUnused: ["--force older-catalogue"], on: "a run without a signed catalogue")
        }
        for seal in seals {
            try await seal.check(against: journal, acceptingOlder: acceptsOlder)
            try await seal.record(in: journal)
        }
    }
}
