import Foundation
import TestSupport
import Testing

private let legacy = Samples.root + "/firmware-samples/legacy/generation-05.zip"
private let secure = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs)
struct `The program flashing an application that takes updates itself` {
    private static func beacon(_ kind: String, _ more: String = "") -> String {
        "  - {address: 'F0:00:00:00:00:00', kind: \(kind), flash: instant, receiver: {revision: 1.15.0, "
            + "updated_revision: 1.16.0\(more)}}"
    }

    @Test(arguments: [
        ("nordic-legacy", legacy, ""), ("nordic-legacy", legacy, ", answers_activation: true"),
        ("nordic-secure", secure, ""),
        ("nordic-secure", secure, ", answers_every_packet: true, keeps_state: true"),
    ])
    func `verifies by the version before and after`(_ kind: String, _ package: String, _ more: String) throws
    {
        let run = try Tray(Self.beacon(kind, more)).flash(package, "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "reappeared")
        #expect(run.last["version_from"] as? String ?? run.last["revision_from"] as? String == "1.15.0")
        #expect(run.last["firmware_revision"] as? String == "1.16.0")
        #expect(run.last["retries"] as? Int == 0)
        let named = try Tray(Self.beacon(kind, more)).flash(
            package, "F0:00:00:00:00:00", ["--expect-version", "1.16.0"])
        #expect(named.last["verified"] as? String == "version", "\(named.talk)")
        let unlooked = try Tray(Self.beacon(kind, more)).flash(package, "F0:00:00:00:00:00", ["--no-verify"])
        #expect(unlooked.status == 0, "\(unlooked.talk)")
        #expect(unlooked.last["verified"] as? String == "no")
        #expect(unlooked.names.filter { $0 == "retry" }.isEmpty)
    }

    @Test func `ends at once if its owner has switched updates off`() throws {
        for (kind, package) in [("nordic-legacy", legacy), ("nordic-secure", secure)] {
            let run = try Tray(Self.beacon(kind, ", switched_off: true")).flash(package, "F0:00:00:00:00:00")
            #expect(run.status == 1)
            #expect(run.last["code"] as? String == "updates-not-allowed", "\(run.talk)")
            #expect((run.last["next_step"] as? String)?.contains("settings") == true)
        }
    }

    /// 12 s exceed the 10 s that an application may take to come back.
    @Test func `does not fail because it was suspended`() throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', kind: nordic-legacy, mode: application, personality: sdk-11-two-banks}"
        )
        let run = try tray.flash(
            legacy, "F0:00:00:00:00:00", signal: (SIGSTOP, "phase", 7), pause: 12)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["event"] as? String == "finished")
        #expect(run.names.count { $0 == "phase" } > 7)
    }
}
