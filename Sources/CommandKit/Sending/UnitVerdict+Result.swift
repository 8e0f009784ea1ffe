import Bluetooth
import Firmware
package import Tray
package import TrayJournal
package import UpdateEngine
package import UpdateModel

extension UnitVerdict {
    /// What an update's report means for its unit. If `accepts`, a unit that came back without a new version passes.
    package init(_ report: UpdateReport, acceptingReappearance accepts: Bool) {
        switch report.verified {
        case .version: self.init(.passed)
        // A version other than before is that of the new firmware, even if the package spells it differently.
        case .reappeared
        where report.revisionBefore != nil && report.revision != nil
            && report.revision != report.revisionBefore:
            self.init(.passed)
        case .reappeared where accepts: self.init(.passed, code: .tray.versionNotShown)
        case .reappeared, .no:
            let code = FailureCode.tray.versionNotShown
            self.init(
                .unknown, code: code, during: "verifying the update",
                message: "the unit confirmed the image, but " + Self.words(of: report),
                nextStep: code.nextStep.withOptions)
        }
    }

    /// What the application reports about its version, for an update that this does not verify.
    private static func words(of report: UpdateReport) -> String {
        guard let revision = report.revision else { return "its application does not report a version" }
        return "its application reports firmware \(revision), "
            + (report.revisionBefore == nil
                ? "and the version before is not known" : "the same as before, which verifies nothing")
    }

    package init(_ error: any Error) {
        let failure = CommandFailure(from: error)
        let state = (error as? UpdateFailure)?.state
        self.init(
            Outcome(failure.code.unitOutcome(exiting: failure.exit)), code: failure.code,
            during: failure.during, message: failure.message,
            nextStep: failure.nextStep, state: state.map(UnitState.init))
    }
}

extension Outcome {
    fileprivate init(_ outcome: FailureCode.UnitOutcome) {
        self =
            switch outcome {
            case .failed: .failed
            case .benchError: .error
            case .notNeeded: .notNeeded
            case .aborted: .aborted
            case .unknown: .unknown
            }
    }
}

extension UnitState {
    package init(_ state: DeviceState) {
        self.init(
            program: state.program.rawValue, address: "\(state.address)/\(state.address.kind.rawValue)",
            application: state.application.rawValue, words: state.words)
    }
}

extension FirmwareRecord {
    package init(_ job: FlashJob, sha256: String) {
        self.init(
            path: job.path, sha256: sha256, kind: job.file.kind.rawValue, bytes: job.file.summary.bytes,
            version: job.file.summary.parts.last?.version?.readable)
    }
}

extension TrayRecord.Session {
    /// A session that begins now, with the adapters of these names.
    package init(beginning number: Int, on radios: [String], after checks: [Check] = []) {
        self.init(number: number, began: .now, version: Program.version)
        adapters = radios.map { TrayRecord.Adapter(name: $0) }
        self.checks = checks.map(TrayRecord.Check.init)
    }
}

extension ChangeRecord {
    package init(_ change: DeviceChange, _ firmware: FirmwareRecord) {
        let (step, address, part): (DeviceStep, DeviceAddress, UpdatePart?) =
            switch change {
            case .enterBootloader(let address): (.enterBootloader, address, nil)
            case .configure(let address): (.configure, address, nil)
            case .update(let address, let part): (.update, address, part)
            case .activate(let address, let part): (.activate, address, part)
            }
        self.init(
            step, address: "\(address)/\(address.kind.rawValue)", part: part?.number, of: part?.count,
            sha256: firmware.sha256, at: .now)
    }
}
