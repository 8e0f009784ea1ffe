import Bluetooth
import Bytes
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite struct `The end of a flash` {
    private func summary(
        _ verified: Verification, _ revision: String?, before: String? = nil, image: [UInt8]? = nil
    ) throws -> FlashSummary {
        let report = UpdateReport(
            bytes: 1, seconds: 1, transferSeconds: 1, averageBytesPerSecond: 1, retries: 0,
            verified: verified,
            limitedBy: .air, revision: revision, revisionBefore: before, imageHash: image)
        return FlashSummary(report: report, device: try #require(DeviceAddress("F0:0D:BE:AC:00:01")))
    }

    @Test(
        arguments: [
            (.version, "2", "1", "verified: the application reports version 2; before the update it was 1"),
            (.version, "2", nil, "verified: the application reports version 2"),
            // A bootloader that confirmed nothing may be the reason, so the line does not say that it did.
            (
                .reappeared, "b", "a",
                "verified: the application reports version b; before the update it was a"
            ),
            (.reappeared, "a", "a", "came back; it reports a, as before, which does not identify the image"),
            (.reappeared, "a", nil, "came back; it reports a, and the version before is not known"),
            (.reappeared, nil, nil, "verified: the beacon confirmed the image and its application came back"),
            (.no, "a", "a", "not verified: it is not known which firmware runs now"),
        ] as [(Verification, String?, String?, String)])
    func `says what was read of the version`(
        _ verified: Verification, _ revision: String?, _ before: String?, _ words: String
    ) throws {
        #expect(try summary(verified, revision, before: before).verification.rendered.hasSuffix(words))
    }

    @Test func `says that the beacon has no application`() throws {
        let report = UpdateReport(
            bytes: 1, seconds: 1, transferSeconds: 1, averageBytesPerSecond: 1, retries: 0, verified: .no,
            limitedBy: .air, hasNoApplication: true)
        let summary = FlashSummary(report: report, device: try #require(DeviceAddress("F0:0D:BE:AC:00:01")))
        #expect(summary.verification.rendered.hasSuffix("in its bootloader, without an application"))
    }

    @Test func `names the image if its version is that of the image before`() throws {
        let summary = try summary(.version, "1.0.0", before: "1.0.0", image: [0xAB, 0xCD, 0xEF, 0x01, 0x23])
        #expect(
            summary.verification.rendered
                == "verified: the application reports version 1.0.0, image abcdef01; before the update it was 1.0.0"
        )
        #expect(summary.line.members["image_hash"] == .text("abcdef0123"))
    }

    @Test func `has the same members as a run that sends nothing, but for two`() throws {
        let sent = Set(try summary(.no, nil).line.members.keys)
        #expect(sent.symmetricDifference(FlashSummary.dryRun.members.keys) == ["dry_run", "simulated"])
    }
}
