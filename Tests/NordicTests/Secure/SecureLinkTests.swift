import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `The end of a link` {
    private func ending(after rows: [(String, String)], _ count: Int) throws -> DisconnectMeaning {
        var script = SecureScript(SecureSubject.firmware(8))
        #expect(try script.begin(writing: 20) == "subscribe")
        script.expect(Array(rows.prefix(count)))
        return script.procedure.disconnectMeaning
    }

    private static let rows: [(String, String)] = [
        ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 256 0 0", "ask 01018c000000"),
        ("600101", "init 0..<140"), ("done", "ask 03"), ("init 140", "ask 04"), ("timeout", "ask 03"),
        ("init 140", "ask 04"), ("600401", "ask 0602"), ("hold 4096 0 0", "ask 010208000000"),
        ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "rest 250"), ("done", "ask 04"),
        ("timeout", "ask 03"), ("crc 8", "ask 04"), ("600401", "complete unconfirmed"),
    ]

    @Test(arguments: 0...13) func `before the last Execute interrupts the update`(_ count: Int) throws {
        #expect(try ending(after: Self.rows, count) == .mustContinue)
    }

    @Test(arguments: [14, 15, 16]) func `during the last Execute may be its success, unconfirmed`(
        _ count: Int
    ) throws {
        guard case .perhapsDone(let completion) = try ending(after: Self.rows, count) else {
            Issue.record("interrupted")
            return
        }
        #expect(!completion.isConfirmed)
    }

    @Test(arguments: [true, false]) func `after the last answer changes nothing in the result`(
        _ isConfirmed: Bool
    ) throws {
        var rows = Self.rows
        if isConfirmed { rows = Array(rows[..<14]) + [("600401", "complete")] }
        guard case .perhapsDone(let completion) = try ending(after: rows, rows.count) else {
            Issue.record("interrupted")
            return
        }
        #expect(completion.isConfirmed == isConfirmed)
    }

    /// A device answers in order, so an earlier answer would have come before that to Create.
    @Test func `after a lost earlier answer still confirms the update`() throws {
        #expect(try ending(after: Self.rows, 14) != .mustContinue)
        var script = SecureScript(SecureSubject.firmware(8))
        #expect(try script.begin(writing: 20) == "subscribe")
        script.expect(Array(Self.rows[..<14]) + [("600401", "complete")])
    }

    @Test func `after an answer that may be an older one leaves the update unconfirmed`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "ask 04"), ("timeout", "ask 03"),
            ("crc 8", "ask 04"), ("600401", "complete unconfirmed"),
        ])
    }

    @Test func `after a late answer that was received confirms the update again`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<2440"), ("done", "rest"), ("done", "send 2440..<4096"),
            ("done", "ask 03"),
            ("crc 4096", "ask 04"), ("timeout", "ask 03"), ("600401", "listen"), ("crc 4096", "ask 04"),
            ("600401", "ask 010204000000"), ("600101", "send 4096..<4100"), ("done", "ask 03"),
            ("crc 4100", "ask 04"), ("600401", "complete"),
        ])
    }

    @Test func `before the first link is nothing but an interruption`() {
        #expect(SecureProcedure(SecureSubject.firmware()).disconnectMeaning == .mustContinue)
    }

    @Test func `keeps what was learned for the next one`() throws {
        var script = SecureScript(receipts: nil)
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<2440"), ("done", "rest"), ("done", "send 2440..<4096"),
            ("done", "ask 03"), ("crc 0", "ask 03"), ("crc 0", "ask 020800"),
        ])
        try script.connect(receipts: "0800")
        script.expect([
            ("hold 512 140 init", "ask 04"), ("600401", "ask 0602"), ("hold 4096 0 0", "ask 010200100000"),
            ("600101", "send 0..<1220"), ("done", "rest"),
        ])
    }

    @Test func `leaves no claim of success for the next one`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "ask 04")])
        #expect(try script.begin() == "subscribe")
        #expect(script.procedure.disconnectMeaning == .mustContinue)
    }
}

@Suite struct `A new link` {
    /// Up to the unanswered Execute of the first object on the last link.
    private static let executing: [(String, String)] = [
        ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 0 0", "ask 01018c000000"),
        ("600101", "init 0..<140"), ("done", "ask 03"), ("init 140", "ask 04"), ("600401", "ask 0602"),
        ("hold 4096 0 0", "ask 04"), ("600408", "ask 010200100000"), ("600101", "send 0..<2440"),
        ("done", "rest"), ("done", "send 2440..<4096"), ("done", "ask 03"), ("crc 4096", "ask 04"),
    ]

    /// The wait in the second object, after a link that was lost for `absence`.
    private func rest(after absence: Duration) throws -> String {
        var script = SecureScript(SecureSubject.firmware(12_000))
        var now = Duration.zero
        func expect(_ rows: [(String, String)], _ command: String) throws {
            var asks = command.hasPrefix("ask")
            for row in rows {
                let step = Duration.milliseconds(30)
                script.procedure.note(
                    CommandTimes(started: now, acknowledged: asks ? now + step / 2 : nil, ended: now + step))
                now += step
                script.expect([row])
                asks = row.1.hasPrefix("ask")
            }
        }
        try expect(Self.executing, try script.begin())
        now += absence
        try expect(
            [
                ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 140 init", "ask 04"),
                ("600401", "ask 0602"), ("hold 4096 4096 image", "ask 04"), ("600401", "ask 010200100000"),
                ("600101", "send 4096..<6536"),
            ], try script.begin())
        return script.after("done")
    }

    @Test func `does not count the time without a link as busy flash`() throws {
        #expect(try rest(after: .seconds(20)) == rest(after: .zero))
    }

    @Test func `accepts what was sent since the device was cleared`() throws {
        var script = SecureScript(SecureSubject.firmware(12_000))
        try script.connect()
        let found: [(String, String)] = [("hold 512 140 init", "ask 04"), ("600401", "ask 0602")]
        script.expect(
            found + [
                ("hold 4096 6000 5", "ask 010200100000"), ("600101", "ask 03"), ("crc 0", "ask 01018c000000"),
                ("600101", "init 0..<140"), ("done", "ask 03"), ("init 140", "ask 04"),
                ("600401", "ask 0602"),
                ("hold 4096 0 0", "ask 010200100000"), ("600101", "send 0..<2440"),
            ])
        try script.connect()
        script.expect(found + [("hold 4096 2440 image", "send 2440..<4096")])
    }
}
