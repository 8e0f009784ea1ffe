import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `The hint after a failed SUOTA update` {
    private func script(
        _ family: HeaderFamily = .da1458x, isForced: Bool = false
    ) throws -> SUOTAScript {
        var preferences = SUOTAPreferences()
        if isForced { (preferences.bank, preferences.risks) = (.first, [.runningBank]) }
        return try SUOTAScript(SUOTASubject.image(family), preferences)
    }

    private func remedy(_ script: SUOTAScript, _ code: FailureCode, own: Advice? = nil) -> String? {
        script.procedure.remedy(
            for: UpdateFailure(code, during: "transferring", message: "", remedy: own))?.description
    }

    private static let lost: [FailureCode] = [.device.linkLost, .system.interrupted, .device.noAnswer]

    @Test(arguments: lost) func `is that of the code before the first byte`(_ code: FailureCode) throws {
        let script = try script()
        #expect(remedy(script, code) == nil)
    }

    @Test(arguments: lost, [HeaderFamily.da1458x, .da1468x])
    func `is to start over, never to resume`(_ code: FailureCode, _ family: HeaderFamily) throws {
        var script = try script(family)
        script.reachBlocks()
        #expect(script.after("done") == "listen 5000")
        let words = try #require(remedy(script, code))
        #expect(words.contains("starts at the first byte, because SUOTA cannot resume"))
        #expect(words.contains("keeps its present image"))
        #expect(
            words.contains("unless an earlier update of it ended with version-mismatch")
                == (family == .da1458x))
        #expect(words.hasPrefix("bring the beacon closer") == (code != .system.interrupted))
        #expect(!words.contains("power"))
    }

    @Test(arguments: lost + [FailureCode(named: "flash-write-failed"), .device.unexpectedAnswer])
    func `for a forced bank warns against switching the device off`(_ code: FailureCode) throws {
        var script = try script(isForced: true)
        script.reachBlocks(start: "01000013")
        #expect(remedy(script, FailureCode(named: "flash-write-failed"), own: "own") == nil)
        #expect(script.after("done") == "listen 5000")
        let words = try #require(remedy(script, code, own: "own"))
        #expect(words.contains("Do not switch the beacon off before"))
        #expect(!words.contains("present image"))
        if !Self.lost.contains(code) { #expect(words.hasPrefix("own. ")) }
    }

    @Test(arguments: lost) func `after the end is to check first, and not to overwrite the old image`(
        _ code: FailureCode
    ) throws {
        var script = try script()
        script.reachEnd()
        let words = try #require(remedy(script, code))
        #expect(
            words.hasPrefix(
                "the beacon had everything. Switch the beacon off and on, then check with a query of the beacon"
            )
        )
        #expect(words.contains("which may be the only good one"))
        #expect(!words.contains("run the same command"))
        script = try self.script(isForced: true)
        script.reachBlocks(start: "01000013")
        script.expect(SUOTAScript.blocks + [("02", "read count"), ("has 1088", "ask 000000fe")])
        // With a forced bank the image may not count yet, and the running one may be gone.
        #expect(remedy(script, code)?.contains("Do not switch the beacon off") == true)
    }

    @Test func `for another version after the restart is not to send an image at once`() throws {
        let words = try #require(remedy(script(), .device.versionMismatch, own: "look"))
        #expect(words.hasPrefix("look. If it runs the old version, the next update overwrites"))
        // A loader that copies keeps no bad image.
        #expect(remedy(try script(.da1468x), .device.versionMismatch, own: "look") == nil)
        #expect(remedy(try script(), .device.activationUnconfirmed)?.contains("only good one") == true)
        #expect(
            remedy(try script(.da1468x), .device.activationUnconfirmed)?.contains("run the same command")
                == true)
        #expect(remedy(try script(), .device.didNotReappear)?.contains("by cable") == true)
    }

    @Test(arguments: ["12", "13", "14", "15", "16"])
    func `for a forced bank has no warning if nothing was written`(_ status: String) throws {
        var script = try script(isForced: true)
        script.reachBlocks(start: "01000013")
        script.expect([
            ("done", "listen 5000"), (status, "listen 200"), ("timeout", "write 000000ff"),
        ])
        #expect(script.after("done").hasPrefix("fail "))
        #expect(script.procedure.remedy(for: try #require(script.failure)) == nil)
    }

    @Test(arguments: ["06", "04"])
    func `for a forced bank has a warning if something may have been written`(_ status: String) throws {
        var script = try script(isForced: true)
        script.reachBlocks(start: "01000013")
        script.expect([
            ("done", "listen 5000"), (status, "listen 200"), ("timeout", "write 000000ff"),
        ])
        #expect(script.after("done").hasPrefix("fail "))
        #expect(
            script.procedure.remedy(for: try #require(script.failure))?.description.contains("Do not switch")
                == true)
    }

    @Test(arguments: [FailureCode.device.versionMismatch, .device.didNotReappear])
    func `for a forced bank whose image does not count yet warns against switching off`(_ code: FailureCode)
        throws
    {
        var preferences = SUOTAPreferences()
        (preferences.bank, preferences.risks, preferences.awaitsSignature) = (.first, [.runningBank], true)
        var script = try SUOTAScript(nil, preferences)
        script.reachBlocks(start: "01000013")
        script.expect(
            SUOTAScript.blocks + [
                ("02", "read count"), ("has 1088", "ask 000000fe"), ("02", "read status"),
                ("02", "listen 5000"),
            ])
        let words = try #require(remedy(script, code, own: "switch the beacon off and on"))
        #expect(words.contains("Do not switch the beacon off"))
        #expect(!words.contains("off and on"))
    }
}
