import TestSupport
import Testing
import UpdateModel

@testable import KKM

@Suite struct `An exchange with a KBeacon` {
    static let question = #"{"msg":"getPara","type":1}"#
    static let text = #"{"model":"K6_NRF52XX","ver":"V6.20","hver":"V3.0","btPt":97,"bCap":524289}"#
    static var hex: String { Array(text.utf8).hex }

    static func played(
        _ message: String = question, _ form: KBeaconExchange.Form = .text, data length: Int = 241
    ) throws -> PlayedDialogue<KBeaconExchange> {
        try PlayedDialogue(
            KBeaconExchange(
                Array(message.utf8), form, on: KBeaconHandshake.Terms(dataLength: length), during: "the test")
        )
    }

    static func played(_ form: KBeaconExchange.Form) throws -> PlayedDialogue<KBeaconExchange> {
        try played(question, form)
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
        var played = try Self.played(message, data: 17)
        #expect(played.written == pieces[0])
        for (number, piece) in pieces.enumerated().dropFirst() {
            try played.take(.value([0x23, 0, UInt8(17 * number), 0x03, 0xE8, 0x00, 0x04]))
            #expect(played.written == piece)
        }
        try played.hear("23 0000 0000 0000")
        #expect(played.ending == [])
    }

    @Test func `is sent in one packet if it fits`() throws {
        let played = try Self.played(#"{"msg":"reset"}"#)
        #expect(played.written == "2300007b226d7367223a227265736574227d")
    }

    @Test func `has its answer after the last ack`() throws {
        var played = try Self.played()
        try played.hear("23 004A 0000 0000 " + Self.hex)
        #expect(Self.text(of: played.ending) == Self.text)
    }

    @Test(arguments: [0, 1, 4, 1000]) func `has its answer in reports`(window: UInt16) throws {
        var played = try Self.played()
        let text = Array(Self.text.utf8)
        try played.take(.value([0x23, 0, 26, UInt8(window >> 8), UInt8(window & 0xFF), 0, 5]))
        #expect(played.waits)
        try played.take(.value([0x30, 0, 0] + text[..<40]))
        #expect(played.written == "33002803e80000")
        try played.take(.done)
        #expect(played.waits)
        try played.take(.value([0x32, 0, 40] + text[40...]))
        #expect(played.written == "33004a03e80000")
        try played.take(.done)
        #expect(played.ending == text)
    }

    @Test func `has its answer in one report`() throws {
        var played = try Self.played()
        try played.hear("33 0000 " + Self.hex)
        #expect(played.written == "33004a03e80000")
        try played.take(.done)
        #expect(Self.text(of: played.ending) == Self.text)
    }

    @Test func `has an answer that begins after an ack`() throws {
        var played = try Self.played()
        let text = Array(Self.text.utf8)
        try played.take(.value([0x23, 0, 26, 0, 0, 0, 5] + text[..<30]))
        #expect(played.written == "33001e03e80000")
        try played.take(.done)
        try played.take(.value([0x31, 0, 30] + text[30..<60]))
        try played.take(.done)
        try played.take(.value([0x32, 0, 60] + text[60...]))
        try played.take(.done)
        #expect(played.ending == text)
    }

    @Test func `starts its answer once even if the first part comes twice`() throws {
        var played = try Self.played()
        let text = Array(Self.text.utf8)
        let beginning = [0x23, 0, 26, 0, 0, 0, 5] + text[..<30]
        try played.take(.value(beginning))
        try played.take(.done)
        try played.take(.value([0x31, 0, 30] + text[30..<60]))
        try played.take(.done)
        try played.take(.value(beginning))
        #expect(played.waits)
        try played.take(.value([0x32, 0, 60] + text[60...]))
        try played.take(.done)
        #expect(played.ending == text)
    }

    @Test func `requests a missing piece again, and none twice`() throws {
        var played = try Self.played()
        let text = Array(Self.text.utf8)
        try played.take(.value([0x30, 0, 0] + text[..<20]))
        try played.take(.done)
        try played.take(.value([0x32, 0, 40] + text[40...]))
        #expect(played.written == "33001403e80001")
        try played.take(.done)
        try played.take(.value([0x30, 0, 0] + text[..<20]))
        #expect(played.waits)
        try played.take(.value([0x31, 0, 20] + text[20..<40]))
        #expect(played.written == "33002803e80000")
        try played.take(.done)
        try played.take(.value([0x32, 0, 40] + text[40...]))
        try played.take(.done)
        #expect(played.ending == text)
    }

    @Test func `reports its progress to a beacon that sends a piece for the third time`() throws {
        var played = try Self.played()
        try played.hear("30 0000 7b22")
        try played.take(.done)
        try played.hear("30 0000 7b22")
        #expect(played.waits)
        try played.hear("30 0000 7b22")
        #expect(played.written == "33000203e80001")
    }

    @Test func `takes two minutes at most, whatever comes`() throws {
        var played = try Self.played()
        let failure = #expect(throws: SessionFailure.self) {
            for offset in 0..<100 {
                played.dialogue.note(CommandTimes(started: .zero, ended: .seconds(14)))
                try played.take(.value([offset == 0 ? 0x30 : 0x31, 0, UInt8(offset), 0x20]))
                try played.take(.done)
            }
        }
        #expect(failure?.code == .device.noAnswer)
    }

    @Test func `sends a piece once if its ack comes twice, and again on request`() throws {
        var played = try Self.played(data: 17)
        try played.hear("23 0011 03E8 0004")
        try played.hear("23 0011 03E8 0004")
        #expect(played.waits)
        try played.hear("23 0011 03E8 0004")
        #expect(played.written == "2200112274797065223a317d")
        try played.hear("23 001A 03E8 0004")
        #expect(played.waits)
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
        var played = try Self.played()
        let failure = #expect(throws: SessionFailure.self) {
            try played.take(.value([0x23, 0, 0, 0, 0, UInt8(cause >> 8), UInt8(cause & 0xFF)]))
        }
        #expect(failure?.code == code)
        #expect(failure?.message.contains("0x") == true)
    }

    @Test func `takes as long as the beacon requests, within a limit`() throws {
        var played = try Self.played()
        for _ in 0..<8 {
            try played.hear("23 0000 0000 0007")
            #expect(played.waits)
        }
        let failure = #expect(throws: SessionFailure.self) { try played.hear("23 0000 0000 0007") }
        #expect(failure?.code == .device.noAnswer)
    }

    @Test func `accepts at most 4096 bytes`() throws {
        var played = try Self.played()
        var offset = 0
        let failure = #expect(throws: SessionFailure.self) {
            while offset < 100_000 {
                let tag: UInt8 = offset == 0 ? 0x30 : 0x31
                try played.take(
                    .value(
                        [tag, UInt8(offset >> 8), UInt8(offset & 0xFF)] + [UInt8](repeating: 0x20, count: 200)
                    ))
                try played.take(.done)
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
        var played = try Self.played()
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0..<200 {
                try played.hear(packet)
                if case .write = played.command { try played.take(.done) }
            }
        }
        #expect(failure != nil)
    }

    @Test func `ends at its time limit`() throws {
        var played = try Self.played()
        played.dialogue.note(CommandTimes(started: .zero, ended: .seconds(16)))
        let failure = #expect(throws: SessionFailure.self) { try played.hear("23 0000 0000 0005") }
        #expect(failure?.code == .device.noAnswer)
        played = try Self.played()
        #expect(throws: SessionFailure.self) { try played.take(.timedOut) }
    }

    @Test func `with a JSON answer is not ended by a cause 6, before it or in it`() throws {
        var played = try Self.played()
        let text = Array(Self.text.utf8)
        // A late one of the previous message.
        try played.hear("23 0000 0000 0006")
        #expect(played.waits)
        try played.take(.value([0x30, 0, 0] + text[..<20]))
        try played.take(.done)
        try played.hear("23 0000 0000 0006")
        #expect(played.waits)
        try played.take(.value([0x32, 0, 20] + text[20...]))
        try played.take(.done)
        #expect(played.ending == text)
    }

    @Test func `whose whole answer followed an ack ends with cause 0`() throws {
        for form in [KBeaconExchange.Form.text, .binary(.first), .binary(.second)] {
            var played = try Self.played(form)
            let (ack, report) = (form.command.rawValue << 4 | 3, form.report.rawValue << 4 | 3)
            try played.take(.value([ack, 0, 0, 0, 0, 0, 5, 0x7B, 0x7D]))
            #expect(played.written == [report, 0, 2, 0x03, 0xE8, 0, 0].hex)
            try played.take(.done)
            try played.take(.value([ack, 0, 0, 0, 0, 0, 0]))
            #expect(played.ending == [0x7B, 0x7D])
        }
    }

    @Test func `survives every packet that is cut off or changed`() throws {
        for packet in ["23 004A 0000 0000 " + Self.hex, "33 0000 " + Self.hex, "23 0011 03E8 0004"] {
            let bytes = [UInt8](hex: packet)
            for length in bytes.indices {
                var played = try Self.played()
                _ = try? played.take(.value(Array(bytes.prefix(length))))
            }
            for index in bytes.indices {
                for bit in 0..<8 {
                    var (played, flipped) = (try Self.played(), bytes)
                    flipped[index] ^= 1 << bit
                    _ = try? played.take(.value(flipped))
                }
            }
        }
    }
}

/// kbeacon.md, Acks: an answer in binary to a beacon of each generation.
@Suite struct `A binary exchange with a KBeacon` {
    private static func played(_ generation: KBeaconGeneration) throws -> PlayedDialogue<KBeaconExchange> {
        try `An exchange with a KBeacon`.played(.binary(generation))
    }

    @Test(arguments: ["03 0000 0000 0006", "03 0000 0000 0000"])
    func `ends in the second generation when the beacon ends it, after all its frames`(end: String) throws {
        var played = try Self.played(.second)
        try played.hear("03 0000 0000 0005")
        try played.hear("50 0000 0102")
        #expect(played.written == "53000203e80000")
        try played.take(.done)
        try played.hear("52 0002 0304")
        // The last packet of a frame is acknowledged with the length of the frame.
        #expect(played.written == "53000403e80000")
        try played.take(.done)
        #expect(played.waits)
        try played.hear("03 0000 0000 0007")
        #expect(played.waits)
        try played.hear("53 0000 05")
        #expect(played.written == "53000103e80000")
        try played.take(.done)
        #expect(played.waits)
        try played.hear(end)
        #expect(played.ending == [1, 2, 3, 4, 5])
    }

    @Test func `ends in the first generation with the last packet, whatever comes late`() throws {
        for packet in ["53 0000 0102", "52 0001 02"] {
            var played = try Self.played(.first)
            // From the previous answer.
            try played.hear("03 0000 0000 0006")
            #expect(played.waits)
            if packet.hasPrefix("52") {
                try played.hear("50 0000 01")
                try played.take(.done)
            }
            try played.hear(packet)
            try played.take(.done)
            #expect(played.ending == [1, 2])
        }
    }

    @Test func `accepts the last frame after cause 0, also as the only one`() throws {
        var played = try Self.played(.second)
        try played.hear("53 0000 0102")
        try played.take(.done)
        try played.hear("03 0000 0000 0000 0304")
        #expect(played.ending == [1, 2, 3, 4])
        played = try Self.played(.first)
        try played.hear("03 0000 0000 0000 0304")
        #expect(played.ending == [3, 4])
    }

    @Test func `restarts if a report repeats the part after an ack`() throws {
        for (tag, rest) in [("50", true), ("53", false)] {
            var played = try Self.played(.second)
            try played.hear("03 0000 0000 0005 0102")
            try played.take(.done)
            try played.hear(tag + " 0000 010203")
            #expect(played.written == "53000303e80000")
            try played.take(.done)
            if rest {
                try played.hear("52 0003 04")
                try played.take(.done)
            }
            try played.hear("03 0000 0000 0006")
            #expect(played.ending == (rest ? [1, 2, 3, 4] : [1, 2, 3]))
        }
        // One with the rest in a single packet.
        var played = try Self.played(.second)
        try played.hear("03 0000 0000 0005 0102")
        try played.take(.done)
        try played.hear("53 0002 03")
        try played.take(.done)
        try played.hear("03 0000 0000 0006")
        #expect(played.ending == [1, 2, 3])
    }

    @Test func `is not ended by a cause 6 of the previous exchange`() throws {
        var played = try Self.played(.second)
        try played.hear("03 0000 0000 0006")
        #expect(played.waits)
        try played.hear("03 0000 0000 0005")
        try played.hear("03 0000 0000 0006")
        #expect(played.ending == [])
    }

    @Test(arguments: [
        // A frame's first packet, its last one, and the last frame's first one are missing.
        ["52 0002 0304", "03 0000 0000 0007"], ["50 0000 0102", "03 0000 0000 0007", "50 0000 0506"],
        ["53 0000 0102", "52 0002 0304", "03 0000 0000 0006"],
        ["53 0000 0102", "51 0002 0304", "03 0000 0000 0000"],
    ])
    func `fails if a packet is missing and the beacon continues`(packets: [String]) throws {
        var played = try Self.played(.second)
        let failure = #expect(throws: SessionFailure.self) {
            for packet in packets {
                try played.hear(packet)
                if case .write = played.command { try played.take(.done) }
            }
        }
        #expect(failure?.code == .session.answerMalformed)
    }

    @Test func `accepts the rest of an interrupted frame`() throws {
        var played = try Self.played(.second)
        try played.hear("53 0000 0102")
        try played.take(.done)
        try played.hear("51 0002 05")
        #expect(played.written == "53000003e80001")
        try played.take(.done)
        for packet in ["50 0000 0304", "51 0002 05", "52 0003 06"] {
            try played.hear(packet)
            try played.take(.done)
        }
        try played.hear("03 0000 0000 0006")
        #expect(played.ending == [1, 2, 3, 4, 5, 6])
    }

    @Test func `has limits for the time and the size of its frames`() throws {
        var played = try Self.played(.second)
        var frames = 0
        let failure = #expect(throws: SessionFailure.self) {
            while frames < 1000 {
                // Frames that begin with 10 are text for a log.
                let frame = [0x00, UInt8(frames & 0xFF)] + [UInt8](repeating: 7, count: 198)
                try played.take(.value([0x53, 0, 0] + frame))
                try played.take(.done)
                try played.hear("03 0000 0000 0007")
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
            let played = try PlayedDialogue(KBeaconRing(by: means, for: .seconds(5), flashes, of: peer))
            let message = "{\"msg\":\"ring\",\"ringTime\":5000,\"ringType\":\(means.rawValue)\(more)}"
            #expect(played.written == "230000" + Array(message.utf8).hex)
        }
        for (on, off) in [(0, 900), (100, 0), (60_001, 1), (1, 60_001), (-1, 5)] {
            #expect(BlinkRequest.Flashes(on: on, off: off) == nil)
        }
    }
}
