import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `A signature that the device checks after the end` {
    private static func script() throws -> SUOTAScript {
        var preferences = SUOTAPreferences()
        preferences.awaitsSignature = true
        var script = try SUOTAScript(nil, preferences)
        script.reachEnd()
        script.expect([("02", "read status"), ("02", "listen 5000")])
        return script
    }

    @Test func `is awaited before the restart`() throws {
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

    @Test func `is not confirmed by a duplicate of the first status`() throws {
        var script = try Self.script()
        script.expect([("early 02", "listen 5000"), ("02", "write 000000fd"), ("done", "complete")])
    }

    @Test func `that is bad ends the update`() throws {
        var script = try Self.script()
        script.expect([("09", "listen 200"), ("timeout", "write 000000ff"), ("done", "fail image-refused")])
        #expect(script.procedure.disconnectMeaning == .refused(try #require(script.failure)))
    }

    @Test func `that is bad is detected by reading`() throws {
        var script = try Self.script()
        script.expect([
            ("timeout", "read status"), ("09", "listen 200"), ("timeout", "write 000000ff"),
            ("done", "fail image-refused"),
        ])
    }

    @Test func `without a result for a minute is left to the version that starts`() throws {
        var script = try Self.script()
        expectSilence(&script)
        #expect(
            script.takeNotices().contains {
                if case .warning(let code, _) = $0 { code.rawValue == "signature-unanswered" } else { false }
            })
    }

    @Test func `with an early or doubled status is accepted after a minute without a refusal`() throws {
        var script = try Self.script()
        script.expect([("early 02", "listen 5000")])
        for _ in 1..<12 { script.expect([("timeout", "read status"), ("02", "listen 5000")]) }
        script.expect([("timeout", "read status"), ("02", "write 000000fd"), ("done", "complete")])
    }

    @Test func `is not confirmed by a status of an earlier link or attempt`() throws {
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

    @Test func `whose check was interrupted is awaited again, without sending anything again`() throws {
        var script = try Self.script()
        #expect(script.procedure.disconnectMeaning == .perhapsDone(script.procedure.completion))
        #expect(!script.procedure.completion.isConfirmed)
        #expect(script.identify(["firmware revision": "312e322e32"]) == "subscribe")
        script.expect([("done", "listen 5000"), ("02", "write 000000fd"), ("done", "complete")])

        script = try Self.script()
        #expect(script.identify(["firmware revision": "312e322e33"]) == "complete")
    }

    @Test func `is awaited with notifications on if a new link finds the answer to the end`()
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

    @Test func `leaves the answer to the end its own time`() throws {
        var preferences = SUOTAPreferences()
        preferences.awaitsSignature = true
        var script = try SUOTAScript(nil, preferences)
        script.reachEnd()
        // If the device does not count, the version that starts decides.
        for _ in 1..<18 {
            script.expect([("timeout", "read status"), ("02", "read count"), ("absent", "listen 5000")])
        }
        script.expect([
            ("timeout", "read status"), ("02", "read count"), ("absent", "write 000000fd"),
            ("done", "complete unconfirmed"),
        ])
    }
}
