import Testing
import UpdateModel

@testable import Tray

@Suite struct `The verdict on a unit whose update ended normally` {
    /// How the update was verified, the version before and after, and whether coming back is enough.
    @Test(
        arguments: [
            (.version, nil, "2", false, .passed, nil), (.reappeared, "1", "2", false, .passed, nil),
            (.reappeared, "1", "1", false, .unknown, "the same as before"),
            (.reappeared, nil, "2", false, .unknown, "this attempt has read none before"),
            (.reappeared, "1", nil, false, .unknown, "does not report a version"),
            (.reappeared, nil, nil, false, .unknown, "does not report a version"),
            (.reappeared, "1", "1", true, .passed, nil), (.reappeared, nil, nil, true, .passed, nil),
            (.no, "1", "1", true, .unknown, "the same as before"),
            (.no, nil, nil, true, .unknown, "does not report a version"),
        ] as [(Verification, String?, String?, Bool, UnitOutcome, String?)])
    func `is that it passed only if its version shows it, or coming back is accepted`(
        _ verified: Verification, _ before: String?, _ after: String?, _ accepts: Bool,
        _ outcome: UnitOutcome, _ words: String?
    ) {
        let report = UpdateReport(
            bytes: 1, seconds: 1, transferSeconds: 1, averageBytesPerSecond: 1, retries: 0,
            verified: verified, limitedBy: .air, revision: after, revisionBefore: before)
        let verdict = UnitVerdict(report, acceptingReappearance: accepts)
        #expect(verdict.outcome == outcome)
        #expect(verdict.message?.contains(words ?? "?") ?? (words == nil), "\(verdict.message ?? "")")
        let isShown = verified == .version || verified == .reappeared && before == "1" && after == "2"
        #expect(verdict.code == (isShown ? nil : "version-not-shown"))
    }

    @Test(arguments: [false, true])
    func `is never that it passed if it has no application`(_ accepts: Bool) {
        let report = UpdateReport(
            bytes: 1, seconds: 1, transferSeconds: 1, averageBytesPerSecond: 1, retries: 0, verified: .no,
            limitedBy: .air, hasNoApplication: true)
        let verdict = UnitVerdict(report, acceptingReappearance: accepts)
        #expect(verdict.outcome == .unknown && verdict.code == "application-missing")
    }
}
