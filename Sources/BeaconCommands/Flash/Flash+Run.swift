import BeaconIdentity
import BluetoothTypes
import Catalogue
import FirmwareModel
import Logging
import Radio
import UpdateCore
import UpdateEngine

extension Flash {
    /// Checks the beacon, and installs the package on it.
    func run(
        _ planned: PlannedFlash, _ log: Logger, _ console: Console, _ adapter: some Adapter
    ) async throws -> ExitStatus {
        let (job, beacon, found) = (planned.job, planned.found.beacon, planned.found)
        try LockRisk.check(beacon, allowing: [])
        try job.check(beacon)
        let battery = BatteryCheck(limit: try install.batteryLimit(for: planned.chosen?.family))
        try battery(beacon.identity.charge, of: beacon.address)
        console.event(
            job.startedLine(of: beacon).adding([
                "simulated": .bool(try radio.isSimulated), "version_from": .optional(planned.installed),
            ]))
        for warning in job.warnings { console.warn(warning.code, warning.words) }
        found.warnings.forEach { console.warn($0, $1) }
        guard !dryRun else { return try endDry(planned, console) }
        var policy = RetryPolicy(fruitlessLinks: planned.patience)
        policy.takesOnlyNewcomer = true
        let notes = RunNotes()
        let renderer = renderer(for: console, planned)
        let report = try await drawing(renderer, on: console, time: adapter.time) { report in
            try await Updater(adapter: adapter, policy: policy, log: log) {
                notes.add($0)
                report($0)
            }
            .run(
                job.plan.procedure, entering: job.plan.entry, on: beacon.address,
                among: found.surroundings, verifying: !noVerify, accepting: job.options.risks,
                introducing: planned.secrets.introducing(
                    beacon, for: job.plan, readingSettings: keepSettingsProof)
            ) { (heard) throws(UpdateFailure) in
                try battery(AdvertisedIdentity(heard.data, from: heard.address).charge, of: heard.address)
            } inspect: { (facts) throws(UpdateFailure) in
                try battery(facts, of: beacon.address)
            }
        }
        FlashSummary(
            report: report, device: found.application, link: notes.link, isSimulated: try radio.isSimulated,
            next: planned.chosen?.next
        ).print(on: console)
        if radio.isSimulatedByDefault, !console.style.isJSON {
            console.result("simulated: the default adapter is of beacons that are not there")
        }
        return .done
    }

    private func renderer(for console: Console, _ planned: PlannedFlash) -> any ProgressRenderer {
        if console.style.isJSON { return JSONEvents() }
        let course = TransferCourse(attempts: planned.patience, awaiting: planned.job.awaited)
        return console.style.isTerminal ? TerminalBar(course) : PlainLines(course)
    }

    /// Says what would be sent.
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
