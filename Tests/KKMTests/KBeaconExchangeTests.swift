import TestSupport
import Testing
import UpdateModel

@testable import KKM

@Suite struct `An exchange with a KBeacon` {
    static let question = #"{"msg":"getPara","type":1}"#
    static let text = #"{"model":"K6_NRF52XX","ver":"V6.20","hver":"V3.0","btPt":97,"bCap":524289}"#
    static var hex: String { Array(text.utf8).hex }

    static func held(
        _ message: String = question, _ form: KBeaconExchange.Form = .text, data length: Int = 241
    ) throws -> Held<KBeaconExchange> {
        try Held(
            KBeaconExchange(
                Array(message.utf8), form, on: KBeaconHandshake.Terms(dataLength: length), during: "the test")
        )
    }

    static func held(_ form: KBeaconExchange.Form) throws -> Held<KBeaconExchange> {
        try held(question, form)
    }

    static func text(of bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: [
        (
            question,
            ["2000007b226d7367223a2267657450617261222c", "2200112274797065223a317d"]
        ),
        (
            #"{"msg":"ring","ringTime":5000,"ringType":2}"#,
            [
                "2000007b226d7367223a2272696e67222c227269", "2100116e6754696d65223a353030302c2272696e",
                "2200226754797065223a327d",
            ]
        ),
        (
            #"{"msg":"getPara","stype":32}"#,
            ["2000007b226d7367223a2267657450617261222c", "220011227374797065223a33327d"]
        ),
        (
            #"{"msg":"admin","stype":"reset"}"#,
            ["2000007b226d7367223a2261646d696e222c2273", "22001174797065223a227265736574227d"]
        ),
    ])
    func `is sent in pieces, the next on request`(message: String, pieces: [String]) throws {
        var held = try Self.held(message, data: 17)
        #expect(held.written == pieces[0])
        for (number, piece) in pieces.enumerated().dropFirst() {
            try held.take(.value([0x23, 0, UInt8(17 * number), 0x03, 0xE8, 0x00, 0x04]))
            #expect(held.written == piece)
        }
        try held.hear("23 0000 0000 0000")
        #expect(held.ending == [])
    }

    @Test func `is sent in one packet if it fits`() throws {
        let held = try Self.held(#"{"msg":"reset"}"#)
        #expect(held.written == "2300007b226d7367223a227265736574227d")
    }

    @Test func `has its answer after the last ack`() throws {
        var held = try Self.held()
        try held.hear("23 004A 0000 0000 " + Self.hex)
        #expect(Self.text(of: held.ending) == Self.text)
    }

    @Test(arguments: [0, 1, 4, 1000]) func `has its answer in reports`(window: UInt16) throws {
        var held = try Self.held()
        let text = Array(Self.text.utf8)
        try held.take(.value([0x23, 0, 26, UInt8(window >> 8), UInt8(window & 0xFF), 0, 5]))
        #expect(held.waits)
        try held.take(.value([0x30, 0, 0] + text[..<40]))
        #expect(held.written == "33002803e80000")
        try held.take(.done)
        #expect(held.waits)
        try held.take(.value([0x32, 0, 40] + text[40...]))
        #expect(held.written == "33004a03e80000")
        try held.take(.done)
        #expect(held.ending == text)
    }

    @Test func `has its answer in one report`() throws {
        var held = try Self.held()
        try held.hear("33 0000 " + Self.hex)
        #expect(held.written == "33004a03e80000")
        try held.take(.done)
        #expect(Self.text(of: held.ending) == Self.text)
    }

    @Test func `has an answer that begins after an ack`() throws {
        var held = try Self.held()
        let text = Array(Self.text.utf8)
        try held.take(.value([0x23, 0, 26, 0, 0, 0, 5] + text[..<30]))
        #expect(held.written == "33001e03e80000")
        try held.take(.done)
        try held.take(.value([0x31, 0, 30] + text[30..<60]))
        try held.take(.done)
        try held.take(.value([0x32, 0, 60] + text[60...]))
        try held.take(.done)
        #expect(held.ending == text)
    }

    @Test func `starts its answer once even if the first part comes twice`() throws {
        var held = try Self.held()
        let text = Array(Self.text.utf8)
        let beginning = [0x23, 0, 26, 0, 0, 0, 5] + text[..<30]
        try held.take(.value(beginning))
        try held.take(.done)
        try held.take(.value([0x31, 0, 30] + text[30..<60]))
        try held.take(.done)
        try held.take(.value(beginning))
        #expect(held.waits)
        try held.take(.value([0x32, 0, 60] + text[60...]))
        try held.take(.done)
        #expect(held.ending == text)
    }

    @Test func `requests a missing piece again, and none twice`() throws {
        var held = try Self.held()
        let text = Array(Self.text.utf8)
        try held.take(.value([0x30, 0, 0] + text[..<20]))
        try held.take(.done)
        try held.take(.value([0x32, 0, 40] + text[40...]))
        #expect(held.written == "33001403e80001")
        try held.take(.done)
        try held.take(.value([0x30, 0, 0] + text[..<20]))
        #expect(held.waits)
        try held.take(.value([0x31, 0, 20] + text[20..<40]))
        #expect(held.written == "33002803e80000")
        try held.take(.done)
        try held.take(.value([0x32, 0, 40] + text[40...]))
        try held.take(.done)
        #expect(held.ending == text)
    }

    @Test func `reports its progress to a beacon that sends a piece for the third time`() throws {
        var held = try Self.held()
        try held.hear("30 0000 7b22")
        try held.take(.done)
        try held.hear("30 0000 7b22")
        #expect(held.waits)
        try held.hear("30 0000 7b22")
        #expect(held.written == "33000203e80001")
    }

    @Test func `takes two minutes at most, whatever comes`() throws {
        var held = try Self.held()
        let failure = #expect(throws: SessionFailure.self) {
            for offset in 0..<100 {
                held.dialogue.note(CommandTimes(started: .zero, ended: .seconds(14)))
                try held.take(.value([offset == 0 ? 0x30 : 0x31, 0, UInt8(offset), 0x20]))
                try held.take(.done)
            }
        }
        #expect(failure?.code == .device.noAnswer)
    }

    @Test func `sends a piece once if its ack comes twice, and again on request`() throws {
        var held = try Self.held(data: 17)
        try held.hear("23 0011 03E8 0004")
        try held.hear("23 0011 03E8 0004")
        #expect(held.waits)
        try held.hear("23 0011 03E8 0004")
        #expect(held.written == "2200112274797065223a317d")
        try held.hear("23 001A 03E8 0004")
        #expect(held.waits)
    }

    @Test(
        arguments: [
            (0x0103, FailureCode.session.refusedByDevice), (0x0104, .session.notSupported),
            (0x0117, .session.notSupported),
            (0x0118, .session.notSupported), (0x0119, .session.notSupported), (0x010C, .session.beaconBusy),
            (0x0107, .session.refusedByDevice),
            (0x0002, .session.refusedByDevice), (0x0003, .session.refusedByDevice),
            (0xFFFF, .session.refusedByDevice),
        ] as [(Int, FailureCode)])
    func `is refused with a cause`(cause: Int, code: FailureCode) throws {
        var held = try Self.held()
        let failure = #expect(throws: SessionFailure.self) {
            try held.take(.value([0x23, 0, 0, 0, 0, UInt8(cause >> 8), UInt8(cause & 0xFF)]))
        }
        #expect(failure?.code == code)
        #expect(failure?.message.contains("0x") == true)
    }

    @Test func `takes as long as the beacon requests, within a limit`() throws {
        var held = try Self.held()
        for _ in 0..<8 {
            try held.hear("23 0000 0000 0007")
            #expect(held.waits)
        }
        let failure = #expect(throws: SessionFailure.self) { try held.hear("23 0000 0000 0007") }
        #expect(failure?.code == .device.noAnswer)
    }

    @Test func `accepts at most 4096 bytes`() throws {
        var held = try Self.held()
        var offset = 0
        let failure = #expect(throws: SessionFailure.self) {
            while offset < 100_000 {
                let tag: UInt8 = offset == 0 ? 0x30 : 0x31
                try held.take(
                    .value(
                        [tag, UInt8(offset >> 8), UInt8(offset & 0xFF)] + [UInt8](repeating: 0x20, count: 200)
                    ))
                try held.take(.done)
                offset += 200
            }
        }
        #expect(failure?.code == .session.answerTooLong && offset == 4000)
    }

    @Test(arguments: [
        "31 0000", "33 0100 20", "53 0000 10 20", "20 0011 0000 0004", "30 0000", "23 0000 0000 0005 20",
        "33 0000 20",
    ])
    func `ends if the beacon never stops`(packet: String) throws {
        var held = try Self.held()
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0..<200 {
                try held.hear(packet)
                if case .write = held.command { try held.take(.done) }
            }
        }
        #expect(failure != nil)
    }

    @Test func `ends at its time limit`() throws {
        var held = try Self.held()
        held.dialogue.note(CommandTimes(started: .zero, ended: .seconds(16)))
        let failure = #expect(throws: SessionFailure.self) { try held.hear("23 0000 0000 0005") }
        #expect(failure?.code == .device.noAnswer)
        held = try Self.held()
        #expect(throws: SessionFailure.self) { try held.take(.timedOut) }
    }

    @Test func `with a JSON answer is not ended by a cause 6, before it or in it`() throws {
        var held = try Self.held()
        let text = Array(Self.text.utf8)
        // A late one of the previous message.
        try held.hear("23 0000 0000 0006")
        #expect(held.waits)
        try held.take(.value([0x30, 0, 0] + text[..<20]))
        try held.take(.done)
        try held.hear("23 0000 0000 0006")
        #expect(held.waits)
        try held.take(.value([0x32, 0, 20] + text[20...]))
        try held.take(.done)
        #expect(held.ending == text)
    }

    @Test func `whose whole answer followed an ack ends with cause 0`() throws {
        for form in [KBeaconExchange.Form.text, .binary(.first), .binary(.second)] {
            var held = try Self.held(form)
            let (ack, report) = (form.command.rawValue << 4 | 3, form.report.rawValue << 4 | 3)
            try held.take(.value([ack, 0, 0, 0, 0, 0, 5, 0x7B, 0x7D]))
            #expect(held.written == [report, 0, 2, 0x03, 0xE8, 0, 0].hex)
            try held.take(.done)
            try held.take(.value([ack, 0, 0, 0, 0, 0, 0]))
            #expect(held.ending == [0x7B, 0x7D])
        }
    }

    @Test func `survives every packet that is cut off or changed`() throws {
        for packet in ["23 004A 0000 0000 " + Self.hex, "33 0000 " + Self.hex, "23 0011 03E8 0004"] {
            let bytes = [UInt8](hex: packet)
            for length in bytes.indices {
                var held = try Self.held()
                _ = try? held.take(.value(Array(bytes.prefix(length))))
            }
            for index in bytes.indices {
                for bit in 0..<8 {
                    var (held, flipped) = (try Self.held(), bytes)
                    flipped[index] ^= 1 << bit
                    _ = try? held.take(.value(flipped))
                }
            }
        }
    }
}

/// kbeacon.md, Acks: an answer in binary to a beacon of each generation.
@Suite struct `A binary exchange with a KBeacon` {
    private static func held(_ generation: KBeaconGeneration) throws -> Held<KBeaconExchange> {
        try `An exchange with a KBeacon`.held(.binary(generation))
    }

    @Test(arguments: ["03 0000 0000 0006", "03 0000 0000 0000"])
    func `ends in the second generation when the beacon ends it, after all its frames`(end: String) throws {
        var held = try Self.held(.second)
        try held.hear("03 0000 0000 0005")
        try held.hear("50 0000 0102")
        #expect(held.written == "53000203e80000")
        try held.take(.done)
        try held.hear("52 0002 0304")
        // The last packet of a frame is acknowledged with the length of the frame.
        #expect(held.written == "53000403e80000")
        try held.take(.done)
        #expect(held.waits)
        try held.hear("03 0000 0000 0007")
        #expect(held.waits)
        try held.hear("53 0000 05")
        #expect(held.written == "53000103e80000")
        try held.take(.done)
        #expect(held.waits)
        try held.hear(end)
        #expect(held.ending == [1, 2, 3, 4, 5])
    }

    @Test func `ends in the first generation with the last packet, whatever comes late`() throws {
        for packet in ["53 0000 0102", "52 0001 02"] {
            var held = try Self.held(.first)
            // From the previous answer.
            try held.hear("03 0000 0000 0006")
            #expect(held.waits)
            if packet.hasPrefix("52") {
                try held.hear("50 0000 01")
                try held.take(.done)
            }
            try held.hear(packet)
            try held.take(.done)
            #expect(held.ending == [1, 2])
        }
    }

    @Test func `accepts the last frame after cause 0, also as the only one`() throws {
        var held = try Self.held(.second)
        try held.hear("53 0000 0102")
        try held.take(.done)
        try held.hear("03 0000 0000 0000 0304")
        #expect(held.ending == [1, 2, 3, 4])
        held = try Self.held(.first)
        try held.hear("03 0000 0000 0000 0304")
        #expect(held.ending == [3, 4])
    }

    @Test func `restarts if a report repeats the part after an ack`() throws {
        for (tag, rest) in [("50", true), ("53", false)] {
            var held = try Self.held(.second)
            try held.hear("03 0000 0000 0005 0102")
            try held.take(.done)
            try held.hear(tag + " 0000 010203")
            #expect(held.written == "53000303e80000")
            try held.take(.done)
            if rest {
                try held.hear("52 0003 04")
                try held.take(.done)
            }
            try held.hear("03 0000 0000 0006")
            #expect(held.ending == (rest ? [1, 2, 3, 4] : [1, 2, 3]))
        }
        // One with the rest in a single packet.
        var held = try Self.held(.second)
        try held.hear("03 0000 0000 0005 0102")
        try held.take(.done)
        try held.hear("53 0002 03")
        try held.take(.done)
        try held.hear("03 0000 0000 0006")
        #expect(held.ending == [1, 2, 3])
    }

    @Test func `is not ended by a cause 6 of the previous exchange`() throws {
        var held = try Self.held(.second)
        try held.hear("03 0000 0000 0006")
        #expect(held.waits)
        try held.hear("03 0000 0000 0005")
        try held.hear("03 0000 0000 0006")
        #expect(held.ending == [])
    }

    @Test(arguments: [
        // A frame's first packet, its last one, and the last frame's first one are missing.
        ["52 0002 0304", "03 0000 0000 0007"], ["50 0000 0102", "03 0000 0000 0007", "50 0000 0506"],
        ["53 0000 0102", "52 0002 0304", "03 0000 0000 0006"],
        ["53 0000 0102", "51 0002 0304", "03 0000 0000 0000"],
    ])
    func `fails if a packet is missing and the beacon continues`(packets: [String]) throws {
        var held = try Self.held(.second)
        let failure = #expect(throws: SessionFailure.self) {
            for packet in packets {
                try held.hear(packet)
                if case .write = held.command { try held.take(.done) }
            }
        }
        #expect(failure?.code == .session.answerMalformed)
    }

    @Test func `accepts the rest of an interrupted frame`() throws {
        var held = try Self.held(.second)
        try held.hear("53 0000 0102")
        try held.take(.done)
        try held.hear("51 0002 05")
        #expect(held.written == "53000003e80001")
        try held.take(.done)
        for packet in ["50 0000 0304", "51 0002 05", "52 0003 06"] {
            try held.hear(packet)
            try held.take(.done)
        }
        try held.hear("03 0000 0000 0006")
        #expect(held.ending == [1, 2, 3, 4, 5, 6])
    }

    @Test func `has limits for the time and the size of its frames`() throws {
        var held = try Self.held(.second)
        var frames = 0
        let failure = #expect(throws: SessionFailure.self) {
            while frames < 1000 {
                // Frames that begin with 10 are text for a log.
                let frame = [0x00, UInt8(frames & 0xFF)] + [UInt8](repeating: 7, count: 198)
                try held.take(.value([0x53, 0, 0] + frame))
                try held.take(.done)
                try held.hear("03 0000 0000 0007")
                frames += 1
            }
        }
        #expect(failure?.code == .session.answerTooLong && frames == (1 << 16) / 200)
    }
}

@Suite struct `A KBeacon's blink command` {
    @Test func `contains the flash pattern for its light, and none for beeps`() throws {
        let identity = try #require(KBeaconIdentity(answer: Array(#"{"model":"K","bCap":3}"#.utf8)))
        let peer = KBeaconQuery.Peer(
            terms: KBeaconHandshake.Terms(dataLength: 241), identity: identity)
        let flashes = try #require(BlinkRequest.Flashes(on: 100, off: 900))
        for (means, more) in [
            (KBeaconRing.Means.light, #","ledOn":100,"ledOff":900"#), (.beep, ""),
        ] {
            let held = try Held(KBeaconRing(by: means, for: .seconds(5), flashes, of: peer))
            let message = "{\"msg\":\"ring\",\"ringTime\":5000,\"ringType\":\(means.rawValue)\(more)}"
            #expect(held.written == "230000" + Array(message.utf8).hex)
        }
        for (on, off) in [(0, 900), (100, 0), (60_001, 1), (1, 60_001), (-1, 5)] {
            #expect(BlinkRequest.Flashes(on: on, off: off) == nil)
        }
    }
}
