import TestSupport
import Testing

@testable import Nordic

/// MTU 23 and init packets of 256 bytes: SDK 12, 13, 14, or 15.0.
@Suite struct `A bootloader of an unknown generation` {
    private func asked() throws -> SecureScript {
        var script = SecureScript(SecureSubject.firmware(8192), receipts: nil)
        try script.connect(payload: 20, receipts: "0600")
        script.expect([("hold 256 0 0", "ask 00")])
        return script
    }

    /// The steps up to the packets that leave at once after the first Create.
    private func begin(_ script: inout SecureScript, after answer: String) throws -> String {
        script.expect([
            (answer, "ask 01018c000000"), ("600101", "init 0..<140"), ("done", "ask 03"),
            ("init 140", "ask 04"),
            ("600401", "ask 0602"), ("hold 4096 0 0", "ask 010200100000"),
        ])
        return script.after("600101")
    }

    @Test func `is an old one if it answers an unknown request with a wrong parameter`() throws {
        var script = try asked()
        #expect(try begin(&script, after: "600003") == "send 0..<500")
        #expect(script.procedure.flow.isOldTarget)
    }

    @Test(arguments: ["600002", "600001", "60000105", "600008"])
    func `is a newer one by any other answer, and has a queue of 16`(_ answer: String) throws {
        var script = try asked()
        #expect(try begin(&script, after: answer) == "send 0..<200")
        #expect(!script.procedure.flow.isOldTarget)
    }

    @Test func `is treated as an old one if it does not answer`() throws {
        var script = try asked()
        #expect(try begin(&script, after: "timeout") == "send 0..<500")
    }

    @Test func `is not queried again, nor if the user sets the receipts`() throws {
        var script = try asked()
        script.expect([("600002", "ask 01018c000000")])
        try script.connect(payload: 20, receipts: "0600")
        script.expect([("hold 256 0 0", "ask 01018c000000")])
        #expect(!script.procedure.flow.isOldTarget)
        script = SecureScript(receipts: 6)
        try script.connect(payload: 20, receipts: "0600")
        script.expect([("hold 256 0 0", "ask 01018c000000")])
        #expect(script.procedure.flow.isOldTarget)
    }

    @Test func `is not queried again if the link was lost during the query`() throws {
        var script = try asked()
        try script.connect(payload: 20, receipts: "0600")
        script.expect([("hold 256 0 0", "ask 01018c000000")])
        #expect(script.procedure.flow.isOldTarget)
    }

    @Test(arguments: [(244, 256, "0000"), (20, 512, "0600"), (20, 1024, "0600")])
    func `is not queried if the MTU or the init packet identifies it`(
        _ payload: Int, _ limit: Int, _ receipts: String
    )
        throws
    {
        var script = SecureScript(receipts: nil)
        try script.connect(payload: payload, receipts: receipts)
        script.expect([("hold \(limit) 0 0", "ask 01018c000000")])
        #expect(!script.procedure.flow.isOldTarget)
    }
}
