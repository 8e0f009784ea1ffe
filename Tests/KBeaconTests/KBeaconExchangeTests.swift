import Sessions
import TestSupport
import Testing

@testable import KBeacon

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
    func `goes in pieces, the next when it is asked for`(message: String, pieces: [String]) throws {
        var held = try Self.held(message, data: 17)
        #expect(held.written == pieces[0])
        for (number, piece) in pieces.enumerated().dropFirst() {
            try held.take(.value([0x23, 0, UInt8(17 * number), 0x03, 0xE8, 0x00, 0x04]))
            #expect(held.written == piece)
        }
        try held.hear("23 0000 0000 0000")
        #expect(held.ending == [])
    }

    @Test func `goes in one where there is room`() throws {
        let held = try Self.held(#"{"msg":"reset"}"#)
        #expect(held.written == "2300007b226d7367223a227265736574227d")
    }

    @Test func `has its answer behind the last ack`() throws {
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

    @Test func `has its answer begun behind an ack`() throws {
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

    @Test func `has its answer begun once, where that comes twice`() throws {
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

    @Test func `wants a piece again that is missing, and none twice`() throws {
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

    @Test func `says how much it has to a beacon that sends a piece for the third time`() throws {
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
        #expect(failure?.code == .noAnswer)
    }

    @Test func `sends a piece once where its ack comes twice, and again where that is wanted`() throws {
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
            (0x0103, SessionFailure.Code.refused), (0x0104, .notSupported), (0x0117, .notSupported),
            (0x0118, .notSupported), (0x0119, .notSupported), (0x010C, .beaconBusy), (0x0107, .refused),
            (0x0002, .refused), (0x0003, .refused), (0xFFFF, .refused),
        ] as [(Int, SessionFailure.Code)])
    func `is refused with a cause`(cause: Int, code: SessionFailure.Code) throws {
        var held = try Self.held()
        let failure = #expect(throws: SessionFailure.self) {
            try held.take(.value([0x23, 0, 0, 0, 0, UInt8(cause >> 8), UInt8(cause & 0xFF)]))
        }
        #expect(failure?.code == code)
        #expect(failure?.message.contains("0x") == true)
    }

    @Test func `takes as long as the beacon asks for, and not without end`() throws {
        var held = try Self.held()
        for _ in 0..<8 {
            try held.hear("23 0000 0000 0007")
            #expect(held.waits)
        }
        let failure = #expect(throws: SessionFailure.self) { try held.hear("23 0000 0000 0007") }
        #expect(failure?.code == .noAnswer)
    }

    @Test func `takes at most 4096 bytes`() throws {
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
        #expect(failure?.code == .tooLong && offset == 4000)
    }

    @Test(arguments: [
        "31 0000", "33 0100 20", "53 0000 10 20", "20 0011 0000 0004", "30 0000", "23 0000 0000 0005 20",
        "33 0000 20",
    ])
    func `ends where the beacon never stops`(packet: String) throws {
        var held = try Self.held()
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0..<200 {
                try held.hear(packet)
                if case .write = held.command { try held.take(.done) }
            }
        }
        #expect(failure != nil)
    }

    @Test func `waits no longer than its time`() throws {
        var held = try Self.held()
        held.dialogue.note(CommandTimes(started: .zero, ended: .seconds(16)))
        let failure = #expect(throws: SessionFailure.self) { try held.hear("23 0000 0000 0005") }
        #expect(failure?.code == .noAnswer)
        held = try Self.held()
        #expect(throws: SessionFailure.self) { try held.take(.timedOut) }
    }

    @Test func `makes no answer of one that is cut off`() throws {
        var held = try Self.held()
        try held.take(.value([0x30, 0, 0] + Array(Self.text.utf8)[..<20]))
        try held.take(.done)
        let failure = #expect(throws: SessionFailure.self) { try held.hear("23 0000 0000 0006") }
        #expect(failure?.code == .malformed)
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
