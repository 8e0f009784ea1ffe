import TestSupport
import Testing
import UpdateCore

@testable import DialogSUOTA

@Suite struct `A signature that the device checks behind the end` {
    private static func script() throws -> SUOTAScript {
        var wishes = SUOTAWishes()
        wishes.awaitsSignature = true
        var script = try SUOTAScript(nil, wishes)
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
        for _ in 1..<12 { script.expect([("timeout", "read status"), ("02", "listen 5000")]) }
        script.expect([
            ("timeout", "read status"), ("02", "write 000000fd"), ("done", "complete unconfirmed"),
        ])
        #expect(
            script.takeNotices().contains {
                if case .warning(let code, _) = $0 { code.rawValue == "signature-unanswered" } else { false }
            })
    }

    @Test func `that was cut off makes the device start over, unless it runs the image`() throws {
        var script = try Self.script()
        #expect(script.procedure.linkEnded() == .perhapsDone(script.procedure.completion(isConfirmed: false)))
        #expect(script.introduce(["firmware revision": "312e322e32"]) == "subscribe")
        script.expect([("done", "ask 00000013")])

        script = try Self.script()
        #expect(script.introduce(["firmware revision": "312e322e33"]) == "complete")
    }
}
