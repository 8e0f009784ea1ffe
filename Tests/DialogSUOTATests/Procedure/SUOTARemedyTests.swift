import TestSupport
import Testing
import UpdateCore

@testable import DialogSUOTA

@Suite struct `What can be done about a SUOTA update that failed` {
    private func script(
        _ family: HeaderFamily = .da1458x, isForced: Bool = false
    ) throws -> SUOTAScript {
        var wishes = SUOTAWishes()
        if isForced { (wishes.bank, wishes.allowsRunningBank) = (.first, true) }
        return try SUOTAScript(SUOTASubject.image(family), wishes)
    }

    private func remedy(_ script: SUOTAScript, _ code: FailureCode, own: String? = nil) -> String? {
        script.procedure.remedy(for: UpdateFailure(code, during: "transferring", message: "", remedy: own))
    }

    private static let lost: [FailureCode] = [.linkLost, .interrupted, .noAnswer]

    @Test(arguments: lost) func `is what the code says before the first byte`(_ code: FailureCode) throws {
        let script = try script()
        #expect(remedy(script, code) == nil)
    }

    @Test(arguments: lost, [HeaderFamily.da1458x, .da1468x])
    func `is to begin again, never to go on`(_ code: FailureCode, _ family: HeaderFamily) throws {
        var script = try script(family)
        script.reachBlocks()
        #expect(script.after("done") == "listen 5000")
        let words = try #require(remedy(script, code))
        #expect(words.contains("begins at the first byte, because SUOTA cannot go on"))
        #expect(words.contains("keeps its present image"))
        #expect(
            words.contains("unless an earlier update of it ended with version-mismatch")
                == (family == .da1458x))
        #expect(words.hasPrefix("bring the beacon closer") == (code != .interrupted))
        #expect(!words.contains("power"))
    }

    @Test(arguments: lost + [FailureCode(rawValue: "flash-write-failed"), .unexpectedAnswer])
    func `of a forced bank warns of switching the device off`(_ code: FailureCode) throws {
        var script = try script(isForced: true)
        script.reachBlocks(start: "01000013")
        #expect(remedy(script, FailureCode(rawValue: "flash-write-failed"), own: "own") == nil)
        #expect(script.after("done") == "listen 5000")
        let words = try #require(remedy(script, code, own: "own"))
        #expect(words.contains("Do not switch the beacon off before"))
        #expect(!words.contains("present image"))
        if !Self.lost.contains(code) { #expect(words.hasPrefix("own. ")) }
    }

    @Test(arguments: lost) func `behind the end is to look first`(_ code: FailureCode) throws {
        var script = try script()
        script.reachEnd()
        #expect(
            remedy(script, code)?.contains("the beacon had everything: see with `beacon-dfu info`") == true)
        #expect(remedy(script, code)?.contains("first byte") == false)
    }

    @Test func `of another version behind the restart is not to send an image at once`() throws {
        let words = try #require(remedy(script(), .versionMismatch, own: "look"))
        #expect(words.hasPrefix("look. Send it no other image before that is clear"))
        // A loader that copies keeps nothing bad.
        #expect(remedy(try script(.da1468x), .versionMismatch, own: "look") == nil)
        #expect(remedy(try script(), .activationUnconfirmed)?.contains("only good one") == true)
        #expect(remedy(try script(), .didNotReappear)?.contains("by cable") == true)
    }
}
