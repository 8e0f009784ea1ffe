import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `An object that does not arrive intact` {
    /// One large object's transfer; the last row is the second wrong checksum.
    private static let firstTry: [(String, String)] = [
        ("600101", "send 0..<2440"), ("done", "rest"), ("done", "send 2440..<4096"), ("done", "ask 03"),
        ("crc 3852", "ask 03"),
    ]

    @Test func `is created again, with slower flow set first`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        _ = script.takeNotices()
        script.expect([
            ("crc 0", "ask 020800"), ("600201", "ask 010200100000"), ("600101", "send 0..<1220"),
            ("done", "rest"), ("done", "send 1220..<1952"), ("done", "listen"),
        ])
        #expect(script.takeNotices() == [.retry(reason: .device.imageCRCMismatch, from: 0)])
    }

    @Test func `is continued if the device has the first part of it, and nothing else`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        _ = script.takeNotices()
        script.expect([
            ("crc 3852", "ask 020800"), ("600201", "ask 03"), ("crc 3852", "rest"),
            ("done", "send 3852..<4096"), ("done", "ask 03"),
            ("crc 4096", "ask 04"),
        ])
        #expect(script.takeNotices() == [.retry(reason: .device.imageCRCMismatch, from: 3852)])
    }

    /// Inside a word, or with another checksum, it is not a part of what was sent.
    @Test(arguments: ["crc 3850", "6003010c0f000000000000"])
    func `is not continued anywhere else`(_ answer: String) throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        script.expect([(answer, "ask 020800"), ("600201", "ask 010200100000")])
    }

    @Test func `is accepted when only the first answer was wrong`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        script.expect([("crc 4096", "ask 04")])
    }

    @Test(arguments: ["6003010010000000000000", "crc 0", "crc 4100", "600301ffffffff07f965d4"])
    func `is not executed on an offset alone, nor on a checksum alone`(_ answer: String) throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        script.expect([(answer, "ask 020800")])
    }

    @Test func `is sent at most four times, each time with a smaller window`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 0", "ask 03"),
            ("crc 0", "ask 020800"), ("600201", "ask 010208000000"), ("600101", "send 0..<8"),
            ("done", "ask 03"), ("crc 0", "ask 03"), ("crc 0", "ask 020100"), ("600201", "ask 010208000000"),
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 0", "ask 03"), ("crc 0", "ask 010208000000"),
        ])
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 0", "ask 03"),
            ("crc 0", "fail image-crc-mismatch"),
        ])
        #expect(script.failure?.message == "the object at 0 was sent 4 times, but never arrived intact")
        #expect(script.failure?.mayReconnect == false)
    }

    @Test func `has four attempts of its own when it is the last one`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        script.expect([("crc 4096", "ask 04"), ("600401", "ask 010204000000")])
        script.expect([
            ("600101", "send 4096..<4100"), ("done", "ask 03"), ("crc 4096", "ask 03"),
            ("crc 4096", "ask 020800"), ("600201", "ask 010204000000"), ("600101", "send 4096..<4100"),
            ("done", "ask 03"), ("crc 4096", "ask 03"), ("crc 4096", "ask 020100"),
            ("600201", "ask 010204000000"),
            ("600101", "send 4096..<4100"), ("done", "ask 03"), ("crc 4096", "ask 03"),
            ("crc 4096", "ask 010204000000"),
        ])
        script.expect([
            ("600101", "send 4096..<4100"), ("done", "ask 03"), ("crc 4100", "ask 04"),
            ("600401", "complete"),
        ])
    }

    @Test func `is sent again when its checksum is refused`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("600305", "ask 020800"),
            ("600201", "ask 010208000000"), ("600101", "send 0..<8"),
        ])
    }

    @Test func `is sent again when its Execute is refused and the device went back to its start`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "ask 04"), ("600408", "ask 020800"),
            ("600201", "ask 010208000000"), ("600101", "ask 03"),
        ])
        var other = script
        script.expect([("crc 0", "send 0..<8")])
        // The refusal was an old one: the object counts.
        other.expect([("crc 8", "ask 01018c000000")])
    }

    @Test func `waits half a second, three times, for its flash to be erased`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600105", "rest 500"), ("done", "ask 010208000000"), ("600105", "rest 500"),
            ("done", "ask 010208000000"), ("600101", "send 0..<8"),
        ])
    }

    @Test func `makes the update start over, twice, when its flash is never erased`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        let refused: [(String, String)] = [
            ("600105", "rest 500"), ("done", "ask 010208000000"), ("600105", "rest 500"),
            ("done", "ask 010208000000"),
        ]
        for _ in 1...2 {
            script.expect(refused)
            script.expect([
                ("600105", "ask 01018c000000"), ("600101", "init 0..<140"), ("done", "ask 03"),
                ("init 140", "ask 04"), ("600401", "ask 0602"), ("hold 4096 0 0", "ask 010208000000"),
            ])
        }
        script.expect(refused)
        script.expect([("600105", "fail flash-busy")])
    }

    @Test func `is executed again after 200 ms when the flash queue was full`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect(Self.firstTry)
        script.expect([
            ("crc 4096", "ask 04"), ("60040a", "rest 200"), ("done", "ask 04"), ("60040a", "rest 200"),
            ("done", "ask 04"), ("60040a", "fail operation-failed"),
        ])
    }

    @Test func `is not executed again when it was the last one`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "ask 04"),
            ("60040a", "fail operation-failed"),
        ])
    }
}

@Suite struct `A receipt` {
    /// Two packets between receipts; the first is due.
    private func awaiting() throws -> SecureScript {
        var script = SecureScript(receipts: 2)
        try script.reachFirstObject(receipts: "0200")
        script.expect([("600101", "send 0..<488"), ("done", "listen")])
        return script
    }

    @Test func `that matches lets the next packets go`() throws {
        var script = try awaiting()
        script.expect([("crc 488", "send 488..<976")])
        #expect(script.limits.last == .seconds(1))
    }

    @Test(
        arguments: [
            "crc 244", "crc 976", "6003010000000000000000", "600303", "600308", "timeout",
            "600301e801000000000000",
        ]) func `that does not match, or does not come, is followed by a query`(
            _ receipt: String
        ) throws
    {
        var script = try awaiting()
        script.expect([(receipt, "ask 03"), ("crc 488", "send 488..<976")])
        // Twice the same: the second packet was lost, and the first one is there.
        script = try awaiting()
        script.expect([
            (receipt, "ask 03"), ("crc 244", "ask 03"), ("crc 244", "ask 020100"),
            ("600201", "ask 03"), ("crc 244", "rest"), ("done", "send 244..<488"),
        ])
        // Something else: the object begins again.
        script = try awaiting()
        script.expect([
            (receipt, "ask 03"), ("600301e800000000000000", "ask 03"),
            ("600301e800000000000000", "ask 020100"), ("600201", "ask 010200100000"),
        ])
    }

    /// A late receipt was taken for the answer to a query; the next notification is that answer.
    @Test func `with known content is skipped`() throws {
        var script = try awaiting()
        script.expect([
            ("timeout", "ask 03"), ("crc 488", "send 488..<976"), ("done", "listen"), ("crc 488", "listen"),
            ("crc 976", "send 976..<1464"),
        ])
    }

    @Test func `is not the answer to another request`() throws {
        var script = try awaiting()
        script.expect([
            ("600401", "listen"), ("600101", "listen"), ("ff", "listen"), ("crc 488", "send 488..<976"),
        ])
    }

    /// The receipt of six packets and the answer of a device that has six, whose receipt was lost, are the same bytes.
    @Test func `that may have been the answer has a shorter timeout`() throws {
        var script = SecureScript(SecureSubject.firmware(160), receipts: nil)
        try script.reachFirstObject(payload: 20, receipts: "0600")
        script.procedure.flow.note(roundTrip: .milliseconds(30))
        script.expect([
            ("600101", "send 0..<160"), ("done", "listen"), ("timeout", "ask 03"), ("crc 120", "listen"),
        ])
        #expect(script.limits.last == .milliseconds(120))
        script.expect([("timeout", "ask 03"), ("crc 160", "ask 04")])
    }

    @Test func `after the last packet is skipped`() throws {
        var script = SecureScript(SecureSubject.firmware(488), receipts: 2)
        try script.reachFirstObject(receipts: "0200")
        script.expect([
            ("600101", "send 0..<488"), ("done", "ask 03"), ("crc 488", "ask 04"), ("crc 488", "listen"),
            ("600401", "complete"),
        ])
    }

    @Test func `is awaited among 64 other notifications, not among 65`() throws {
        var script = try awaiting()
        for _ in 1...64 { script.expect([("600401", "listen")]) }
        var other = script
        script.expect([("crc 488", "send 488..<976")])
        other.expect([("600401", "fail unexpected-answer")])
    }

    /// One for each packet, in firmware from the field.
    @Test func `is awaited among any number of truncated ones`() throws {
        var script = try awaiting()
        for _ in 1...200 { script.expect([("600301", "listen"), ("60030100", "listen")]) }
        script.expect([("crc 488", "send 488..<976")])
    }
}

@Suite struct `A request without an answer` {
    /// Each request of a run: the steps before it, and the request.
    private static let points: [(lead: [(String, String)], request: String, during: String)] = {
        let rows: [(String, String)] = [
            ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 0 0", "ask 01018c000000"),
            ("600101", "init 0..<140"), ("done", "ask 03"), ("init 140", "ask 04"), ("600401", "ask 0602"),
            ("hold 4096 0 0", "ask 010200100000"), ("600101", "send 0..<2440"), ("done", "rest"),
            ("done", "send 2440..<4096"), ("done", "ask 03"), ("crc 4096", "ask 04"),
            ("600401", "ask 010204000000"), ("600101", "send 4096..<4100"), ("done", "ask 03"),
            ("crc 4100", "ask 04"),
        ]
        let names = [
            "setting the receipt interval", "asking for the stored init packet",
            "announcing the init packet", "comparing checksums", "checking the init packet",
            "asking for the stored firmware", "announcing a data object", "comparing checksums",
            "writing a data object", "announcing a data object", "comparing checksums",
            "checking the whole image",
        ]
        let requests = rows.indices.filter { rows[$0].1.hasPrefix("ask") }
        return zip(requests, names).map { (Array(rows[...$0]), rows[$0].1, $1) }
    }()

    /// The device's reported progress while Create or Execute number `point` is unanswered.
    private static func held(_ point: Int) -> String {
        ["", "", "init 0", "", "init 140", "", "crc 0", "", "crc 4096", "crc 4096", "", "crc 4100"][point]
    }

    @Test(arguments: 0..<12) func `is repeated, Create and Execute only after a query`(
        _ number: Int
    ) throws {
        let point = Self.points[number]
        var script = SecureScript()
        #expect(try script.begin() == "subscribe")
        script.expect(point.lead)
        _ = script.takeNotices()
        let isChange = point.request.hasPrefix("ask 01") || point.request == "ask 04"
        for _ in 1...2 {
            if isChange {
                script.expect([("timeout", "ask 03"), (Self.held(number), point.request)])
            } else {
                script.expect([("timeout", point.request)])
            }
            let notices = script.takeNotices()
            #expect(notices == [.retry(reason: .device.noAnswer, from: number < 9 ? 0 : 4096)])
        }
        if isChange { script.expect([("timeout", "ask 03")]) }
        script.expect([(isChange ? Self.held(number) : "timeout", "fail no-answer")])
        #expect(script.failure?.during == point.during)
        #expect(script.failure?.mayReconnect == true)
    }

    @Test(arguments: [2, 4, 6, 8, 9, 11]) func `is repeated when the query is not answered either`(
        _ number: Int
    ) throws {
        let point = Self.points[number]
        var script = SecureScript()
        #expect(try script.begin() == "subscribe")
        script.expect(point.lead)
        script.expect([
            ("timeout", "ask 03"), ("timeout", point.request), ("timeout", "ask 03"),
            ("600305", point.request),
            ("timeout", "ask 03"), ("timeout", "fail no-answer"),
        ])
    }

    @Test(arguments: 0..<12) func `skips 64 unrelated notifications`(
        _ number: Int
    ) throws {
        let point = Self.points[number]
        var script = SecureScript()
        #expect(try script.begin() == "subscribe")
        script.expect(point.lead)
        let strays = ["600c01", "", "60", "6003", "0102030405", "610401", "600501"]
        for stray in 0..<64 { script.expect([(strays[stray % strays.count], "listen")]) }
        script.expect([("600c01", "fail unexpected-answer")])
        #expect(script.failure?.during == point.during)
    }

    @Test func `skips 64 notifications during a query`() throws {
        var script = SecureScript()
        #expect(try script.begin() == "subscribe")
        script.expect(Self.points[6].lead)
        script.expect([("timeout", "ask 03")])
        // A late answer to the Create is one of them.
        for _ in 1...64 { script.expect([("600101", "listen")]) }
        var other = script
        script.expect([("crc 0", "ask 010200100000")])
        other.expect([("600101", "fail unexpected-answer")])
    }

    @Test func `is not answered by the second answer to an earlier repeated one`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect([
            ("timeout", "ask 03"), ("crc 0", "ask 010200100000"), ("600101", "send 0..<2440"),
            ("done", "rest"), ("done", "send 2440..<4096"), ("done", "ask 03"), ("600101", "listen"),
            ("crc 4096", "ask 04"), ("timeout", "ask 03"), ("crc 4096", "ask 04"),
            ("600401", "ask 010204000000"), ("600401", "listen"), ("600101", "send 4096..<4100"),
        ])
    }

    @Test func `is not repeated as Execute when the bytes are not there`() throws {
        var script = SecureScript(SecureSubject.firmware(8))
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<8"), ("done", "ask 03"), ("crc 8", "ask 04"), ("timeout", "ask 03"),
            ("crc 4", "ask 020800"), ("600201", "ask 010208000000"),
            // It may have been executed all the same: the device's position is queried.
            ("600101", "ask 03"), ("crc 0", "send 0..<8"),
        ])
    }

    @Test func `starts the update over when a repeated Create shows that the Execute did count`() throws {
        var script = SecureScript()
        try script.reachFirstObject()
        script.expect([
            ("600101", "send 0..<2440"), ("done", "rest"), ("done", "send 2440..<4096"),
            ("done", "ask 03"), ("crc 4096", "ask 04"), ("timeout", "ask 03"), ("crc 100", "ask 020800"),
            ("600201", "ask 010200100000"), ("600101", "ask 03"), ("crc 4096", "ask 01018c000000"),
        ])
    }
}
