import ArgumentParser
import BeaconIdentity
import BluetoothTypes
import DialogSUOTA
import FirmwareModel
import Logging
import NordicDFU
import Radio
import UpdateCore
import UpdateEngine

struct Flash: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Update one beacon.",
        discussion: """
            Examples: `beacon-dfu flash blinker.zip --device F0:0D:BE:AC:01:00`; with simulated beacons `beacon-dfu \
            flash firmware-samples/nordic/blinker-1.1.0.zip --adapter sim --device F0:0D:BE:AC:01:01`.
            """)

    @Argument(help: "The firmware package.", completion: .file()) var file: String
    @OptionGroup(title: "Beacon") var target: DeviceOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Flag(help: "Check the file and find the beacon, but do not connect to it.") var dryRun = false
    @Flag(help: "End when the device has confirmed the image, without waiting for the application.")
    var noVerify = false
    @Option(
        help: ArgumentHelp(
            "Give up after this many lost links in a row without progress.", valueName: "number"))
    var attempts = 5
    @Option(
        help: ArgumentHelp(
            "Packets per receipt to begin with; 0 for none. Default: by MTU; 8 for Legacy DFU.",
            valueName: "packets"))
    var prn: UInt16?
    @Option(
        help: ArgumentHelp(
            "Fail unless the new application shows exactly this firmware revision. Default: by the package.",
            valueName: "text"))
    var expectVersion: String?
    @Option(
        help: ArgumentHelp(
            "Refuse a package that this key has not signed (PEM, hex or C).", valueName: "file"))
    var publicKey: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Take a risk by its name: same-version, lower-version (Secure DFU), wrong-family, running-bank (SUOTA: the bank may be the running image's).",
            valueName: "risk"))
    var force: [Risk] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Refuse a beacon that advertises less, as 30 (percent) or 2500mV; 0 for none. Default: 20 and 2400mV.",
            valueName: "charge"))
    var minBattery: [String] = []
    @OptionGroup(title: "SUOTA") var suota: SUOTAOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [file, publicKey, suota.profiles, radio.scenario] }

    func validate() throws {
        guard expectVersion == nil || !noVerify else {
            throw ValidationError("--expect-version looks at the application, which --no-verify leaves out")
        }
        guard expectVersion?.isEmpty != true else { throw ValidationError("--expect-version is a text") }
        if !DeviceQuestion.isPossible(json: common.json) { _ = try target.selector() }
        guard attempts >= 1 else { throw ValidationError("--attempts is at least 1") }
        _ = try batteryLimit()
    }

    private func batteryLimit() throws -> MinimumCharge {
        var limit = MinimumCharge()
        for text in minBattery where !limit.set(text) {
            throw ValidationError("--min-battery is a percentage such as 30, a voltage such as 2500mV, or 0")
        }
        return limit
    }

    var needsKernel: Bool { radio.needsKernel }

    func perform(_ console: Console) async throws -> ExitStatus {
        do { return try await update(console) } catch let error as ValidationError { throw error } catch {
            throw CommandFailure(from: error).tellingState()
        }
    }

    private func update(_ console: Console) async throws -> ExitStatus {
        var options = UpdateOptions(versionText: expectVersion, risks: Set(force))
        options[NordicOptions.self].receiptInterval = prn.map(Int.init)
        options[NordicOptions.self].key = try publicKey.map { (path) throws(CommandFailure) in
            try KeyFile(path: path).publicKey()
        }
        let firmware = try FlashJob.file(at: file)
        if firmware.takes(SUOTAPreferences.self) { options[SUOTAPreferences.self] = try suota.preferences() }
        let job = try FlashJob(firmware, at: file, options: options)
        try checkOptions(for: firmware)
        let log = try common.logger(under: outputs)
        if !console.style.isJSON { console.talk(TerminalText(job.summary)) }
        return try await radio.withAdapter(log: log, under: outputs.keeping([common.logFile])) {
            try await flash(job, with: $0, log, console)
        }
    }

    /// Refuses options that have no effect on the file, instead of ignoring them.
    private func checkOptions(for file: any VendorFile) throws(CommandFailure) {
        let forNordic = [("--prn", prn != nil), ("--public-key", publicKey != nil)].filter(\.1).map(\.0)
        let risks = force.filter { !file.risks.contains($0) }.map { "--force \($0.rawValue)" }
        let idle =
            (file.takes(NordicOptions.self) ? [] : forNordic)
            + (file.takes(SUOTAPreferences.self) ? [] : suota.given)
            + risks
        guard !idle.isEmpty else { return }
        throw CommandFailure(
            "option-unused", during: "reading the command line",
            message: "\(idle.joined(separator: ", ")): no effect on a file of kind \(file.kind)")
    }

    private func flash(
        _ job: FlashJob, with adapter: some Adapter, _ log: Logger, _ console: Console
    ) async throws -> ExitStatus {
        var device = target.device
        if device == nil {
            device = try await DeviceQuestion(plan: job.plan, console: console).answer(with: adapter)
        }
        let selector = try device ?? target.selector()
        let found = try await target.search(for: selector, console).findUnit(
            with: adapter, inItsBootloader: job.plan.entry != nil)
        let beacon = found.beacon
        try LockRisk.check(beacon, allowing: [])
        try job.check(beacon)
        let battery = BatteryCheck(limit: try batteryLimit())
        try battery(beacon.identity.charge, of: beacon.address)
        console.event(job.startedLine(of: beacon).adding(["simulated": .bool(try radio.isSimulated)]))
        for warning in job.warnings { console.warn(warning.code, warning.words) }
        if found.deafness >= .seconds(1) {
            console.warn(
                "adapter-deaf",
                "another program's scan hid beacons for \(Quantities.seconds(found.deafness / .seconds(1))), "
                    + "which were not counted as looking")
        }
        if beacon.identity.missing.contains(.battery) {
            console.warn(
                "battery-unknown",
                "\(beacon.address) has not advertised its battery, as beacons of its kind do")
        }
        if beacon.identity.missing.contains(.version) {
            console.warn(
                "version-unknown",
                "\(beacon.address) has not advertised its version, as beacons of its kind do")
        }
        if let trigger = found.trigger {
            console.warn(
                "ibeacon-trigger",
                "\(beacon.address) advertises another UUID than the selected one at the moment, because of \(trigger.words)"
            )
        }
        if found.absent != nil {
            console.warn(
                "bootloader-assumed",
                "\(selector) is silent; \(beacon.address) is where its bootloader would be, and is one")
        }
        guard !dryRun else { return try planned(job, beacon, console) }
        let policy = RetryPolicy(fruitlessLinks: attempts)
        let notes = RunNotes()
        let report = try await drawing(renderer(for: console, job), on: console, time: adapter.time) {
            report in
            try await Updater(adapter: adapter, policy: policy, log: log) {
                notes.add($0)
                report($0)
            }
            .run(
                job.plan.procedure,
                // Only the application that was selected is ever sent to its bootloader.
                entering: found.absent == nil ? job.plan.entry : nil, on: beacon.address,
                among: PriorSurroundings(
                    heard: found.heard, since: found.since, absent: found.absent,
                    version: beacon.identity.version),
                verifying: !noVerify
            ) { (heard) throws(UpdateFailure) in
                try battery(AdvertisedIdentity(heard.data, from: heard.address).charge, of: heard.address)
            } inspect: { (facts) throws(UpdateFailure) in
                try battery(facts, of: beacon.address)
            }
        }
        FlashSummary(
            report: report, device: beacon.address, link: notes.link, isSimulated: try radio.isSimulated
        ).print(on: console)
        if radio.isSimulatedByEnvironment, !console.style.isJSON {
            console.result("simulated: BEACON_DFU_ADAPTER names beacons that are not there")
        }
        return .done
    }

    private func renderer(for console: Console, _ job: FlashJob) -> any ProgressRenderer {
        if console.style.isJSON { return JSONEvents() }
        let course = TransferCourse(attempts: attempts, awaiting: job.awaited)
        return console.style.isTerminal ? TerminalBar(course) : PlainLines(course)
    }

    private func planned(
        _ job: FlashJob, _ beacon: BeaconSighting, _ console: Console
    ) throws -> ExitStatus {
        guard !console.style.isJSON else {
            console.event(FlashSummary.dryRun.adding(["simulated": .bool(try radio.isSimulated)]))
            return .done
        }
        let name = beacon.data.name ?? "no name"
        console.result(
            "would send \(job.file.summary.bytes) bytes to \(beacon.address) (\(name)); nothing was sent")
        return .done
    }
}
