import BeaconIdentity
import BluetoothTypes
import ByteCoding
import Catalogue
import Digests
import FirmwareModel
import Radio
import Tray
import TrayEngine
import UpdateCore

/// Decides as `flash` does which firmware a unit of a tray gets, and what its ending means.
struct BatchPlanner: UnitPlanner {
    /// Where the firmware of units without slots comes from.
    let common: UnitSource?
    /// Where the firmware of each slot comes from.
    let sources: [String: UnitSource]
    /// How each unit is sent its firmware.
    let sending: UnitSending
    /// The packages that were read.
    let shelf = PackageShelf()
    /// What is asked of every update.
    let install: InstallOptions
    /// Whether a unit passes that has confirmed the image and come back, and does not tell its version.
    let acceptsReappearance: Bool
    /// The settings that the units get once they have their firmware.
    let settings: TraySettings
    /// Passwords and PINs.
    let secrets: SecretKeeper

    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void
    ) async throws -> UnitJob {
        guard let source = try resumed(target, beacon) ?? sources[target.slot] ?? common else {
            throw CommandFailure(
                "internal-error", during: "planning the update", message: "\(target.slot) has no firmware")
        }
        let chosen = try await choose(
            source, for: beacon, as: sending[target.slot], with: adapter, warning: warn)
        let job = chosen.job
        try job.check(beacon)
        try LockRisk.check(beacon, allowing: [])
        let battery = BatteryCheck(limit: try install.batteryLimit(for: chosen.family))
        try battery(beacon.identity.charge, of: beacon.address)
        for warning in job.warnings { warn(AttemptRecord.Warning(warning.code, warning.words)) }
        return UnitJob(
            job.plan.procedure, entering: job.plan.entry,
            firmware: FirmwareRecord(job, sha256: chosen.sha256),
            versionBefore: chosen.installed, fruitlessLinks: chosen.timeout, accepting: job.options.risks,
            blinking: .advertised(expecting: chosen.advertised),
            identifying: secrets.identifying(beacon, for: job.plan, readingSettings: true)
        ) { (heard) throws(UpdateFailure) in
            try battery(AdvertisedIdentity(heard.data, from: heard.address).charge, of: heard.address)
        } inspect: { (facts) throws(UpdateFailure) in
            try battery(facts, of: beacon.address)
        }
    }

    /// Reads and judges every file that is named. An option has to have an effect on one of them at least, and what a slot says of
    /// its own on its file; which files a catalogue chooses is not known yet.
    func checkFiles() throws {
        var idle: Set<String>?
        let named = sources.map { (slot: String?.some($0), source: $1) } + (common.map { [(nil, $0)] } ?? [])
        for (slot, source) in named {
            guard case .file(let path) = source else {
                idle = []
                continue
            }
            let file = try shelf.package(at: path).file
            _ = try install.job(
                sending: file, at: path, as: slot.map { sending[$0] } ?? sending.common, amongOthers: true)
            try slot.map { try sending.check(file, for: $0) }
            let unused = Set(install.idle(for: file, install.sending))
            idle = idle.map { $0.intersection(unused) } ?? unused
        }
        guard let idle, !idle.isEmpty else { return }
        throw InstallOptions.unused(idle.sorted(), by: "any file of the tray")
    }

    /// What a unit goes on with that was left in its bootloader: that does not tell which release it was to
    /// get, so a catalogue cannot choose.
    private func resumed(_ target: TrayTarget, _ beacon: BeaconSighting) throws -> UnitSource? {
        guard beacon.isBootloader, let firmware = target.earlier else { return nil }
        guard try shelf.package(at: firmware.path).sha256 == firmware.sha256 else {
            throw CommandFailure(
                "file-changed", during: "planning the update",
                message: "\(firmware.path) is not the file any more that \(beacon.address) was being sent")
        }
        return .file(firmware.path)
    }

    /// What a unit gets.
    private struct Choice {
        let job: FlashJob
        let sha256: String
        /// The version that it has, as far as is known.
        let installed: String?
        /// How many links may fail in a row.
        let timeout: Int
        /// What the catalogue says of it; nil where a file was named.
        var family: CatalogueModel?
        /// The version that it has to advertise afterwards.
        var advertised: String?
    }

    private func choose(
        _ source: UnitSource, for beacon: BeaconSighting, as sending: SendingOptions,
        with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void
    ) async throws -> Choice {
        switch source {
        case .file(let path):
            let package = try shelf.package(at: path)
            let job = try install.job(sending: package.file, at: path, as: sending, amongOthers: true)
            return Choice(
                job: job, sha256: package.sha256, installed: beacon.identity.version,
                timeout: sending.timeout)
        case .catalogue(let releases):
            let chosen = try await releases.choose(for: beacon, with: adapter, by: secrets) { code, words in
                warn(AttemptRecord.Warning(code, words))
            }
            let package = try shelf.package(of: chosen.release, for: chosen.family)
            let sending = try sending.completed(by: chosen.family)
            let job = try install.job(
                sending: package.file, at: package.path, as: sending, of: chosen.release,
                blinking: chosen.shownVersion, amongOthers: true)
            return Choice(
                job: job, sha256: package.sha256,
                installed: chosen.device.version ?? beacon.identity.version, timeout: sending.timeout,
                family: chosen.family, advertised: chosen.advertisedVersion)
        }
    }

    func canShow(_ beacon: BeaconSighting) -> Bool { (try? BlinkMethod(of: beacon)) != nil }

    func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        try await BlinkMethod(of: beacon).show(
            beacon, for: length, with: adapter, by: secrets, begin: begin)
    }

    func verdict(for report: UpdateReport) -> Tray.Verdict {
        Self.verdict(for: report, acceptingReappearance: acceptsReappearance)
    }

    func verdict(for error: any Error) -> Tray.Verdict { Self.verdict(for: error) }

    static func verdict(for report: UpdateReport, acceptingReappearance accepts: Bool) -> Tray.Verdict {
        switch report.verified {
        case .version: return Tray.Verdict(.passed)
        // Another version than before is the new firmware's, in words that do not count as the package does.
        case .reappeared
        where report.revisionBefore != nil && report.revision != nil
            && report.revision != report.revisionBefore:
            return Tray.Verdict(.passed)
        case .reappeared where accepts: return Tray.Verdict(.passed, code: "version-not-shown")
        case .reappeared, .no:
            let entry = Explanation.of("version-not-shown")
            return Tray.Verdict(
                .unknown, code: entry.code, during: "looking at what came up",
                message: "the unit has confirmed the image, and " + words(of: report),
                nextStep: entry.nextStep)
        }
    }

    /// What an application that proves nothing has told of its version.
    private static func words(of report: UpdateReport) -> String {
        guard let revision = report.revision else { return "what came up does not tell its version" }
        return "what came up calls its firmware \(revision), "
            + (report.revisionBefore == nil
                ? "and nothing is known of what ran before" : "as before, which proves nothing")
    }

    static func verdict(for error: any Error) -> Tray.Verdict {
        let failure = CommandFailure(from: error)
        let state = (error as? UpdateFailure)?.state
        return Tray.Verdict(
            outcome(of: failure), code: failure.code, during: failure.during, message: failure.message,
            nextStep: failure.nextStep, state: state.map(UnitState.init))
    }

    /// Whose failure it is.
    private static func outcome(of failure: CommandFailure) -> Outcome {
        switch failure.code {
        case "interrupted", "claim-lost", "lease-short", "firmware-recalled": return .aborted
        case "did-not-reappear", "activation-unconfirmed": return .unknown
        case "beacon-in-use", "beacon-held", "adapter-busy", "too-many-links", "device-ambiguous",
            "would-lock-beacon", "release-unknown", "device-unknown", "family-ambiguous", "vendor-only",
            "not-listed", "journal-failed":
            return .error
        default: break
        }
        switch failure.exit {
        case .nothingToDo: return .notNeeded
        case .usage, .badFile, .noFile, .noAdapter, .internalError, .noPermission: return .error
        default: return .failed
        }
    }

    func nextStep(after code: String) -> String? {
        switch code {
        case "interrupted", "tray-time": "go on with --resume"
        case "no-adapter": "plug an adapter in, or switch it on; then go on with --resume"
        case "device-not-found": "see whether it lies there and is switched on, then --retry-failed"
        case "device-ambiguous": "give the slot the address of its beacon in the tray file"
        default: Explanation.of(code).nextStep
        }
    }

    func mayHelp(after verdict: Tray.Verdict) -> Bool {
        guard verdict.outcome == .failed || verdict.outcome == .unknown, let code = verdict.code else {
            return false
        }
        return Explanation.of(code).exit == .tryAgain
    }
}

/// Where the firmware of a unit comes from.
enum UnitSource: Sendable {
    /// A file for whichever unit.
    case file(String)
    /// What a catalogue chooses.
    case catalogue(ReleaseSearch)
}

extension UnitState {
    /// A state as reports have it.
    init(_ state: DeviceState) {
        self.init(
            program: state.program.rawValue,
            address: "\(state.address)/\(state.address.kind.rawValue)",
            application: state.application.rawValue, words: state.words)
    }
}

extension FirmwareRecord {
    /// What `job` installs.
    init(_ job: FlashJob, sha256: String) {
        self.init(
            path: job.path, sha256: sha256, kind: job.file.kind.rawValue, bytes: job.file.summary.bytes,
            version: job.file.summary.parts.last?.version?.readable)
    }
}
