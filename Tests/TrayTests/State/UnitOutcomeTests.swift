import Firmware
import Testing
import Tray
import UpdateModel

@Suite struct `The outcome of a unit whose attempt failed` {
    private static let codes =
        FailureCode.common.flatMap { $0.codes } + FailureCode.catalogue.codes + FailureCode.tray.codes
        + FailureCode.station.codes + FailureCode.journal.codes

    private static func names(_ isMeant: (FailureCode) -> Bool) -> Set<String> {
        Set(codes.filter(isMeant).map(\.rawValue))
    }

    @Test(arguments: UpdateModel.ExitStatus.allCases) func `follows from the exit status`(
        _ status: UpdateModel.ExitStatus
    ) {
        let outcome = FailureCode(named: "unheard-of").unitOutcome(exiting: status)
        switch status {
        case .nothingToDo: #expect(outcome == .notNeeded)
        case .usage, .badFile, .noFile, .noAdapter, .internalError, .noPermission:
            #expect(outcome == .error)
        case .done, .failed, .deviceNotFound, .tryAgain, .interrupted: #expect(outcome == .failed)
        }
    }

    @Test func `is another one for these codes, whatever the exit status`() {
        let own: [UnitOutcome: Set<String>] = [
            .aborted: ["claim-lost", "interrupted", "lease-short"],
            .error: [
                "adapter-busy", "beacon-held", "beacon-in-use", "device-ambiguous", "device-unknown",
                "family-ambiguous", "journal-failed", "not-listed", "release-not-listed", "release-unknown",
                "too-many-links",
                "vendor-only",
            ],
            .unknown: ["activation-unconfirmed", "did-not-reappear"],
        ]
        // Two statuses with different outcomes.
        let statuses = [UpdateModel.ExitStatus.usage, .nothingToDo]
        for (outcome, names) in own {
            #expect(
                Self.names { code in statuses.allSatisfy { code.unitOutcome(exiting: $0) == outcome } }
                    == names)
        }
    }
}
