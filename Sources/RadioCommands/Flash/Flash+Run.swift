import Bluetooth
import Bytes
package import CommandKit
import Firmware
package import Logging
import UpdateEngine
package import UpdateModel

extension Flash {
    package func run(
        _ planned: PlannedFlash, _ log: Logger, _ console: Console, _ radio: NamedAdapter
    ) async throws -> ExitStatus {
        let (job, beacon, found) = (planned.job, planned.found.beacon, planned.found)
        let isSimulated = try self.radio.isSimulated
        try job.check(beacon)
        try LockRisk.check(beacon, allowing: [])
        let battery = BatteryCheck(limit: try install.batteryLimit(for: planned.chosen?.family))
        try battery(beacon.identity.charge, of: beacon.address)
        console.event(
            job.startedLine(of: beacon).adding([
                "simulated": .bool(isSimulated), "version_from": .optional(planned.installed),
            ]))
        for warning in job.warnings { console.warn(warning.code, warning.words) }
        found.warnings.forEach { console.warn($0, $1) }
        guard !dryRun else { return try endDry(planned, console) }
        let row = try await FlashRow.begin(
            planned, selectedBy: target.device, over: radio, simulated: isSimulated, record, console)
        if let downgrade = planned.chosen?.downgrade { row?.note(.warning(downgrade.code, downgrade.words)) }
        let notes = RunNotes()
        let report: UpdateReport
        do {
            report = try await update(planned, battery, row, notes, log, console, radio.adapter)
        } catch {
            await row?.end(error)
            throw error
        }
        await row?.end(report)
        FlashSummary(
            report: report, device: found.application, link: notes.link, isSimulated: isSimulated,
            next: planned.chosen?.next
        ).print(on: console)
        if self.radio.isSimulatedByDefault, !console.style.isJSON {
            console.result("simulated: the default adapter has simulated beacons only")
        }
        return .done
    }

    private func update(
        _ planned: PlannedFlash, _ battery: BatteryCheck, _ row: FlashRow?, _ notes: RunNotes, _ log: Logger,
        _ console: Console, _ adapter: some Adapter
    ) async throws -> UpdateReport {
        let (job, beacon, found) = (planned.job, planned.found.beacon, planned.found)
        var policy = RetryPolicy(fruitlessLinks: planned.fruitlessLinks)
        policy.takesOnlyNewcomer = true
        policy.adopt(job.options[TransferOptions.self])
        let renderer = renderer(for: console, planned)
        return try await drawing(renderer, on: console, time: adapter.time) { report in
            try await Updater(adapter: adapter, policy: policy, log: log) {
                notes.add($0)
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

    private func endDry(_ planned: PlannedFlash, _ console: Console) throws -> ExitStatus {
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

package struct PlannedFlash: Sendable {
    let job: FlashJob
    /// The SHA-256 of the package, in lower-case hexadecimal.
    let sha256: String
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil if a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let fruitlessLinks: Int
    /// The options of the update for a command that names the package.
    var arguments: [String] = []
    let secrets: SecretStore

    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }

    /// How to continue with a unit that `failure` left in its bootloader or in an unknown state: a bootloader
    /// has neither the name nor the id of its application, and does not report which release it was sent. Nil
    /// if the same command works.
    func continuation(after failure: UpdateFailure, selectedBy selector: DeviceSelector?) -> String? {
        guard let state = failure.state, state.program != .application, state.application != .new
        else { return nil }
        // The failure's own next step names the program that came up.
        guard failure.code != .device.bootloaderNotFound else { return nil }
        let places = [found.application, found.application.neighbour(1)]
        let bootloader = job.options[TransferOptions.self].bootloader
        let isElsewhere = state.program == .bootloader && !places.contains(state.address) && bootloader == nil
        let address = isElsewhere ? state.address : found.application
        guard chosen != nil else {
            guard selector?.addresses.isEmpty ?? true else { return nil }
            return "then select it by its address, `--device \(address)`: its bootloader has another name"
        }
        // The bootloader would refuse the same package again.
        let isRefused = failure.code.exit == .failed && state.application == .intact
        let command = Self.command(isRefused ? "FILE" : job.path, arguments, at: address)
        return isRefused
            ? "its application is intact: once it runs again, the catalogue can choose; until then name another "
                + "package: \(command)"
            : "a bootloader does not report which release it was sent, so name the package: \(command)"
    }

    /// The command that flashes `file` to the unit at `address`, in backquotes.
    static func command(_ file: String, _ arguments: [String], at address: DeviceAddress) -> String {
        let words = ["beacon-dfu", "flash", file] + arguments + ["--device", "\(address)"]
        return "`" + words.map(ShellWord.quoted).joined(separator: " ") + "`"
    }
}
