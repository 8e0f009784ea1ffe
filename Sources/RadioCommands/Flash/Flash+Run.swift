import Bluetooth
package import CommandKit
import Firmware
import Identity
package import Logging
import UpdateEngine
package import UpdateModel

extension Flash {
    /// Checks the beacon, and installs the package on it.
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
            planned, selectedBy: try? target.device ?? target.selector(), over: radio,
            simulated: isSimulated, record, console)
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
        var policy = RetryPolicy(fruitlessLinks: planned.timeout)
        policy.takesOnlyNewcomer = true
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
        let transfer = TransferState(attempts: planned.timeout, awaiting: planned.job.awaited)
        return console.style.isTerminal ? TerminalBar(transfer) : PlainLines(transfer)
    }

    /// Reports what would be sent.
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
