import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Logging
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel

package struct Flash: RadioCommand {
    static let configuration = CommandConfiguration(
        commandName: "flash", abstract: "Update one beacon.",
        discussion: """
            Examples: `beacon-dfu flash blinker.zip --device F0:0D:BE:AC:01:00`; with simulated beacons `beacon-dfu \
            flash \(KnownVendors.sample) --adapter sim --device F0:0D:BE:AC:01:01`; with the release that \
            a catalogue chooses, `beacon-dfu flash --from-catalogue --device F0:0D:BE:AC:01:00`.
            """)

    @Argument(help: "The firmware package, unless a catalogue chooses it.", completion: .file()) var file:
        String?
    @OptionGroup(title: "Catalogue") var choice: ReleaseOptions
    @OptionGroup(title: "Beacon") var target: DeviceOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Flag(help: "Check the file and find the beacon, but send nothing to it.") var dryRun = false
    @Flag(help: "End when the beacon has confirmed the image, without waiting for the application.")
    var noVerify = false
    @Flag(
        help:
            "Read the settings before and after the update, of beacons that have sessions; warn of differences."
    )
    var keepSettingsProof = false
    @Option(
        "Fail unless the new application reports exactly this firmware revision. Default: the package's version.",
        valueName: "text")
    var expectVersion: String?
    @OptionGroup(title: "Record") var record: FlashRecordOptions
    @OptionGroup var install: InstallOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [file, radio.scenario, choice.source.requireSignedCatalogue] + install.inputs }

    func validate() throws {
        try require(
            (file == nil) == choice.fromCatalogue,
            file == nil
                ? "give a firmware package, or --from-catalogue for the release of a catalogue"
                : "--from-catalogue chooses the package: give no file")
        try require(
            !install.force.contains(.olderCatalogue) || choice.source.requireSignedCatalogue != nil,
            "--force older-catalogue requires --require-signed-catalogue")
        try require(
            expectVersion == nil || !noVerify,
            "give --expect-version or --no-verify, not both: the first verifies the application")
        try require(expectVersion?.isEmpty != true, "--expect-version must not be empty")
        if !TypedLines.canAsk(json: common.json) { _ = try target.selector() }
    }

    var namedSecrets: String? { install.secrets.secrets }
    var selected: DeviceSelector? { target.device }
    var namedFile: String? { file }

    func perform(_ console: Console) async throws -> ExitStatus {
        do { return try await update(console) } catch let error as ValidationError { throw error } catch {
            throw CommandFailure(from: error).addingDeviceState()
        }
    }

    private func update(_ console: Console) async throws -> ExitStatus {
        guard let file else { return try await updateFromCatalogue(console) }
        let package = try FileContent(path: file)
        let job = try FlashJob(
            try package.vendorFile(), at: file, by: install, as: install.sending, showing: expectVersion)
        let secrets = try install.secrets.secretStore(capturing: radio.capture, console)
        let log = try common.logger(under: outputs)
        if !console.style.isJSON { console.notice(TerminalText(job.summary)) }
        return try await radio.withNamedAdapter(log: log, under: outputs.protecting([common.logFile])) {
            radio in
            let found = try await find(
                asking: DeviceQuestion(for: job, console), console,
                inItsBootloader: job.plan.entry != nil, with: radio.adapter)
            return try await checkAndSend(
                PlannedFlash(
                    job: job, sha256: package.sha256, found: found,
                    fruitlessLinks: install.sending.fruitlessLinks, secrets: secrets), log, console, radio)
        }
    }

    private func updateFromCatalogue(_ console: Console) async throws -> ExitStatus {
        let isSimulated = try radio.isSimulated
        let (folder, seal) = try await choice.source.folder(
            checkedByJournalAt: try? record.journal.path(simulated: isSimulated),
            acceptingOlder: install.force.contains(.olderCatalogue))
        let releases = ReleaseSearch(
            catalogue: folder.catalogue, channels: choice.channels,
            hasOwnBatteryLimit: !install.minBattery.isEmpty, naming: choice.release)
        let secrets = try install.secrets.secretStore(capturing: radio.capture, console)
        let log = try common.logger(under: outputs)
        return try await radio.withNamedAdapter(log: log, under: outputs.protecting([common.logFile])) {
            radio in
            let found = try await find(
                asking: DeviceQuestion(for: releases, by: secrets, console), console, inItsBootloader: true,
                with: radio.adapter)
            if let seal, !dryRun { try await record.remember(seal, simulated: isSimulated, console) }
            let chosen: ReleaseSearch.Result
            do {
                chosen = try await releases.find(
                    for: found.beacon, with: radio.adapter, by: secrets, telling: console)
            } catch let failure as CommandFailure where failure.code == .catalogue.releaseUnknown {
                let step = await nextStep(for: found, from: folder.catalogue, simulated: isSimulated)
                throw step.map(failure.withNextStep) ?? failure
            }
            let (file, package) = try chosen.release.package(for: chosen.family)
            let sending = try install.sending.completed(by: chosen.family)
            let job = try FlashJob(
                package, at: file.path, by: install, as: sending, of: chosen.release,
                showing: expectVersion ?? (noVerify ? nil : chosen.shownVersion))
            if !console.style.isJSON { console.notice(TerminalText(job.summary)) }
            return try await checkAndSend(
                PlannedFlash(
                    job: job, sha256: file.sha256, found: found, chosen: chosen,
                    fruitlessLinks: sending.fruitlessLinks,
                    arguments: arguments(sending, chosen.release), secrets: secrets), log, console, radio)
        }
    }

    /// What to do about a unit in its bootloader, by its history; nil if the journal has none, or the catalogue lacks the
    /// package.
    private func nextStep(
        for found: DeviceSearch.Result, from catalogue: Catalogue, simulated: Bool
    ) async -> String? {
        guard !record.noJournal, let path = try? record.journal.path(simulated: simulated),
            let journal = try? await Journal.reading(path)
        else { return nil }
        defer { journal.close() }
        guard let history = try? await BootloaderHistory(of: found, in: journal, simulated: simulated),
            let (firmware, isComplete) = history.firmware,
            let (path, family, release) = catalogue.release(sha256: firmware.sha256),
            let sending = try? install.sending.completed(by: family)
        else { return nil }
        let command = PlannedFlash.command(path, arguments(sending, release), at: found.application)
        return isComplete
            ? "switch it off and on: if its application comes back, the catalogue can choose. Otherwise install the "
                + "release that it had according to the journal, \(release.version): \(command)"
            : "complete the update to \(release.version) that the journal records: \(command)"
    }

    /// The options of this run, for a command that names the package of `release`.
    private func arguments(_ sending: SendingOptions, _ release: CatalogueFirmware) -> [String] {
        install.arguments(sending: sending, release) + record.arguments
            + (expectVersion.map { ["--expect-version", $0] } ?? []) + (noVerify ? ["--no-verify"] : [])
    }

    /// `error`, with a next step that names the beacon and the file; if the update has failed, also how to continue.
    private func addingContinuation(to error: any Error, _ planned: PlannedFlash) -> any Error {
        let repeated = repeatedOptions.naming(planned, after: error)
        if let failure = error as? CommandFailure { return failure.repeating(repeated) }
        guard let failure = error as? UpdateFailure else { return error }
        let reported = CommandFailure(failure)
        let words = planned.continuation(after: failure, selectedBy: target.device)
        return (words.map(reported.adding(toNextStep:)) ?? reported).repeating(repeated)
    }

    private func find(
        asking question: DeviceQuestion, _ console: Console, inItsBootloader: Bool, with adapter: some Adapter
    ) async throws -> DeviceSearch.Result {
        let device =
            if let device = target.device { device } else { try await question.answer(with: adapter) }
        var search = target.search(for: device, console)
        (search.takesBootloaders, search.isForUpdate) = (inItsBootloader, true)
        search.chosenBootloader = install.sending.bootloader
        return try await search.findUnit(with: adapter, inItsBootloader: inItsBootloader)
    }
}

extension Flash {
    /// Checks the beacon and sends the firmware; the next step of a failed update says how to continue with the unit.
    private func checkAndSend(
        _ planned: PlannedFlash, _ log: Logger, _ console: Console, _ radio: NamedAdapter
    ) async throws -> ExitStatus {
        let (job, beacon, found) = (planned.job, planned.found.beacon, planned.found)
        let isSimulated = try self.radio.isSimulated
        let battery = BatteryCheck(limit: try install.batteryLimit(for: planned.chosen?.family))
        do {
            try job.check(beacon)
            try LockRisk.check(beacon, allowing: [])
            try battery(beacon.identity.charge, of: beacon.address)
        } catch { throw addingContinuation(to: error, planned) }
        console.event(
            job.startedLine(of: beacon).adding([
                "simulated": .bool(isSimulated), "version_from": .optional(planned.installed),
            ]))
        for warning in job.warnings { console.warn(warning.code, warning.words) }
        found.warnings.forEach { console.warn($0, $1) }
        guard !dryRun else { return try reportDryRun(planned, console) }
        let row = try await FlashRow.begin(
            planned, selectedBy: target.device, over: radio, simulated: isSimulated, record, console)
        if let downgrade = planned.chosen?.downgrade { row?.note(.warning(downgrade.code, downgrade.words)) }
        let lastLink = LastLink()
        let report: UpdateReport
        do {
            report = try await send(
                planned, checking: battery, recordingIn: row, noting: lastLink, log, console,
                with: radio.adapter)
        } catch {
            let reported = addingContinuation(to: error, planned)
            await row?.end(
                addingAdvice(to: asTimeout(CommandFailure(from: reported))), repeating: repeatedOptions)
            throw reported
        }
        await row?.end(report)
        FlashSummary(
            report: report, device: found.application, link: lastLink.description, isSimulated: isSimulated,
            next: planned.chosen?.next
        ).print(on: console)
        if self.radio.isSimulatedByDefault, !console.style.isJSON {
            console.result("simulated: the default adapter has simulated beacons only")
        }
        return .done
    }

    private func send(
        _ planned: PlannedFlash, checking battery: BatteryCheck, recordingIn row: FlashRow?,
        noting lastLink: LastLink, _ log: Logger, _ console: Console, with adapter: some Adapter
    ) async throws -> UpdateReport {
        let (job, beacon, found) = (planned.job, planned.found.beacon, planned.found)
        var policy = RetryPolicy(fruitlessLinks: planned.fruitlessLinks)
        policy.takesOnlyNewcomer = true
        policy.adopt(job.options[TransferOptions.self])
        let renderer = renderer(for: console, planned)
        return try await showingProgress(renderer, on: console, time: adapter.time) { report in
            try await Updater(adapter: adapter, policy: policy, log: log) {
                lastLink.note($0)
                row?.note($0)
                report($0)
            }
            .run(
                job.plan.procedure, entering: job.plan.entry, on: beacon.address,
                among: found.nearbyScan, verifying: !noVerify, accepting: job.options.risks,
                showing: .advertised(
                    expecting: expectVersion == nil ? planned.chosen?.advertisedVersion : nil),
                identifying: planned.secrets.identifying(
                    beacon, for: job.plan, readingSettings: keepSettingsProof)
            ) { (heard) throws(UpdateFailure) in
                try battery(AdvertisedIdentity(heard.data, from: heard.address).charge, of: heard.address)
            } learning: {
                row?.note($0)
            } inspect: { (facts) throws(UpdateFailure) in
                try battery(facts, of: beacon.address)
            } willChange: {
                await row?.willChange($0)
            }
        }
    }

    private func renderer(for console: Console, _ planned: PlannedFlash) -> any ProgressRenderer {
        if console.style.isJSON { return JSONEvents() }
        let transfer = TransferState(attempts: planned.fruitlessLinks, awaiting: planned.job.awaited)
        return console.style.isTerminal ? TerminalBar(transfer) : PlainLines(transfer)
    }

    private func reportDryRun(_ planned: PlannedFlash, _ console: Console) throws -> ExitStatus {
        guard !console.style.isJSON else {
            console.event(
                FlashSummary.dryRun.adding([
                    "simulated": .bool(try radio.isSimulated),
                    "next_version": .optional(planned.chosen?.next),
                ]))
            return .done
        }
        let beacon = planned.found.beacon
        let name = beacon.data.name ?? "no name"
        console.result(
            "would send \(planned.job.file.summary.bytes) bytes to \(beacon.address) (\(name)); nothing was sent"
        )
        return .done
    }
}
