import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `Legacy DFU of a running application` {
    private static let image = [
        ("100101", "write 0200"), ("done", "packet \(LegacySubject.initPacket)"), ("done", "ask 0201"),
        ("100201", "write 080800"), ("done", "write 03"), ("done", "rest 100"), ("done", "send 0..<160"),
        ("done", "listen"), ("prn 160", "send 160..<320"), ("done", "listen"), ("prn 320", "send 320..<400"),
        ("done", "listen"), ("100301", "ask 04"),
    ]

    private func started() throws -> LegacyScript {
        var script = try LegacyScript(to: .application)
        try script.connect(version: "1e00")
        return script
    }

    /// A second link, up to the command that follows from the version.
    private func connect(_ script: inout LegacyScript) throws {
        #expect(try script.begin() == "subscribe")
        script.expect([("done", "read")])
    }

    @Test func `leaves the device alone for ten seconds after a cut before it sends sizes`() throws {
        var script = try started()
        script.expect(Array(Self.image.prefix(9)))
        try connect(&script)
        script.expect([("1e00", "listen")])
        #expect(script.limits.last ?? .zero >= .seconds(10))
        // A late receipt does not shorten the wait.
        script.expect([("prn 320", "listen"), ("timeout", "write 0104")])
    }

    @Test func `does not query the number of bytes, which such a device does not know`() throws {
        var script = try started()
        script.expect(Array(Self.image.prefix(8)))
        script.expect([("timeout", "listen"), ("timeout", "write 0104")])
        #expect(
            script.takeNotices().contains(.retry(reason: FailureCode(named: "transfer-stalled"), from: 0)))
    }

    @Test func `reports that silence after Validate may mean a wrong image`() throws {
        var script = try started()
        script.expect(Self.image)
        for _ in 0..<2 {
            script.expect([
                ("timeout", "listen"), ("timeout", "write 0104"), ("done", "packet 000000000000000090010000"),
                ("done", "listen"),
            ])
            script.expect(Self.image)
        }
        #expect(script.after("timeout") == "fail validation-unanswered")
    }

    @Test func `keeps to receipts that fit eight bits`() throws {
        var script = try LegacyScript(receipts: 300, to: .application)
        try script.connect(version: "1e00")
        script.expect(Array(Self.image.prefix(3)))
        script.expect([("100201", "write 08ff00")])
    }

    @Test func `never sends an image again that the device has checked`() throws {
        var script = try started()
        script.expect(Self.image + [("100401", "write 05")])
        guard case .perhapsDone(let end) = script.procedure.disconnectMeaning else {
            Issue.record("not done")
            return
        }
        #expect(end.isConfirmed && end.mayHaveMissedStart)
        try connect(&script)
        script.expect([("1e00", "write 05"), ("done", "listen")])
        guard case .perhapsDone(let again) = script.procedure.disconnectMeaning else {
            Issue.record("not done")
            return
        }
        #expect(again.isConfirmed && !again.mayHaveMissedStart)
        #expect(script.after("timeout") == "fail activation-unconfirmed")
    }

    @Test func `does not treat the silence of a bootloader that has checked the image as its loss`() throws {
        var script = try LegacyScript()
        try script.connect()
        script.expect(Self.image + [("100401", "write 05")])
        try connect(&script)
        script.expect([
            ("0800", "write 07"), ("done", "listen"), ("timeout", "write 07"), ("done", "listen"),
            ("timeout", "write 05"), ("done", "listen"),
        ])
    }
}
