import TestSupport
import Testing
import UpdateCore

@testable import DialogSUOTA

@Suite struct `A signature that the device checks after the end` {
    private static func script() throws -> SUOTAScript {
        var preferences = SUOTAPreferences()
        preferences.awaitsSignature = true
        var script = try SUOTAScript(nil, preferences)
        script.reachEnd()
        script.expect([("02", "read status"), ("02", "listen 5000")])
        return script
    }

    @Test func `is waited for before the restart`() throws {
        var script = try Self.script()
        #expect(
            !script.takeNotices().contains {
                if case .detail(.verified) = $0 { true } else { false }
            })
        script.expect([
            ("timeout", "read status"), ("02", "listen 5000"), ("02", "write 000000fd"), ("done", "complete"),
        ])
        #expect(
            script.takeNotices().contains { if case .detail(.verified) = $0 { true } else { false } })
    }

    @Test func `is not taken from the first status that came twice`() throws {
        var script = try Self.script()
        script.expect([("early 02", "listen 5000"), ("02", "write 000000fd"), ("done", "complete")])
    }

    @Test func `that is bad ends the update`() throws {
        var script = try Self.script()
        script.expect([("09", "listen 200"), ("timeout", "write 000000ff"), ("done", "fail image-refused")])
        #expect(script.procedure.linkEnded() == .refused(try #require(script.failure)))
    }

    @Test func `that is bad is found by reading`() throws {
        var script = try Self.script()
        script.expect([
            ("timeout", "read status"), ("09", "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail image-refused"),
        ])
    }

    @Test func `of which nothing is said for a minute is left to what starts`() throws {
        var script = try Self.script()
        expectSilence(&script)
        #expect(
            script.takeNotices().contains {
                if case .warning(let code, _) = $0 { code.rawValue == "signature-unanswered" } else { false }
            })
    }

    @Test func `that came early, or was doubled, is taken after a minute without a refusal`() throws {
        var script = try Self.script()
        script.expect([("early 02", "listen 5000")])
        for _ in 1..<12 { script.expect([("timeout", "read status"), ("02", "listen 5000")]) }
        script.expect([("timeout", "read status"), ("02", "write 000000fd"), ("done", "complete")])
    }

    @Test func `is not taken from a status of an earlier link or attempt`() throws {
        var script = try Self.script()
        script.expect([("early 02", "listen 5000")])
        #expect(script.identify(["firmware revision": "312e322e32"]) == "subscribe")
        script.expect([("done", "listen 5000")])
        expectSilence(&script)

        script = try Self.script()
        script.expect([
            ("early 02", "listen 5000"), ("04", "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail image-crc-mismatch, again"),
        ])
        script.reachEnd()
        script.expect([("02", "read status"), ("02", "listen 5000")])
        expectSilence(&script)
    }

    private func expectSilence(_ script: inout SUOTAScript) {
        for _ in 1..<12 { script.expect([("timeout", "read status"), ("02", "listen 5000")]) }
        script.expect([
            ("timeout", "read status"), ("02", "write 000000fd"), ("done", "complete unconfirmed"),
        ])
    }

    @Test func `that was cut off is waited for again, and nothing is sent again`() throws {
        var script = try Self.script()
        #expect(script.procedure.linkEnded() == .perhapsDone(script.procedure.completion))
        #expect(!script.procedure.completion.isConfirmed)
        #expect(script.identify(["firmware revision": "312e322e32"]) == "subscribe")
        script.expect([("done", "listen 5000"), ("02", "write 000000fd"), ("done", "complete")])

        script = try Self.script()
        #expect(script.identify(["firmware revision": "312e322e33"]) == "complete")
    }

    @Test func `is waited for with notifications on where the answer to the end is found over a new link`()
        throws
    {
        var preferences = SUOTAPreferences()
        preferences.awaitsSignature = true
        var script = try SUOTAScript(nil, preferences)
        script.reachEnd()
        #expect(script.identify(["firmware revision": "312e322e32"]) == "read status")
        script.expect([
            ("02", "read count"), ("has 0", "subscribe"), ("done", "listen 5000"), ("09", "listen 200"),
            ("timeout", "write 000000ff"), ("done", "fail image-refused"),
        ])
    }

    @Test func `gives the answer to the end its time too`() throws {
        var preferences = SUOTAPreferences()
        preferences.awaitsSignature = true
        var script = try SUOTAScript(nil, preferences)
        script.reachEnd()
        // A device that does not count leaves it to what it starts.
        for _ in 1..<18 {
            script.expect([("timeout", "read status"), ("02", "read count"), ("absent", "listen 5000")])
        }
        script.expect([
            ("timeout", "read status"), ("02", "read count"), ("absent", "write 000000fd"),
            ("done", "complete unconfirmed"),
        ])
    }
}
