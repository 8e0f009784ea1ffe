import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import KKM

let requests = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA1))
let answers = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA2))

extension PlayedDialogue {
    mutating func hear(_ hex: String) throws { try take(.value([UInt8](hex: hex))) }

    /// The last written value, in hexadecimal.
    var written: String? {
        switch command {
        case .request(let bytes, requests, answers, _), .write(let bytes, requests, _): bytes.hex
        default: nil
        }
    }

    var waits: Bool { if case .expect(answers, _) = command { true } else { false } }
}

@Suite struct `A handshake with a KBeacon` {
    static let address = DeviceAddress("DD:34:02:06:5B:5C")
    static let factory = Secret(String(repeating: "0", count: 16))
    static let proof = "13 01 A1A2A3A4 46acd14b18a86f822f4d344cb397bff5"

    static func played(
        _ password: Secret = factory, clock: UInt32? = nil, writing length: Int = 244
    ) throws -> PlayedDialogue<KBeaconHandshake> {
        let address = try #require(address)
        var played = try PlayedDialogue(
            KBeaconHandshake(with: address, password, challenge: 0x0102_0304, settingClock: clock),
            writing: length)
        #expect(played.command == .find(requests))
        try played.take(.done)
        #expect(played.command == .subscribe(answers))
        try played.take(.done)
        return played
    }

    @Test(
        arguments: [
            ("DD:34:02:06:5B:5C", nil, "01020304", "46acd14b18a86f822f4d344cb397bff5", "69e1e507ab3fd077"),
            ("DD:34:02:06:5B:5C", nil, "A1A2A3A4", "f68f1a0c0aec3d42cbc89ceea2b4f57f", "3d4786e2a858c83d"),
            ("BC:57:29:02:45:9F", nil, "01020304", "5ae52a03f893c9d8ce1112b12c4f5250", "94f438b2d4dc9b88"),
            ("BC:57:29:02:45:9F", nil, "A1A2A3A4", "d1c9df51692963f358d1964531e324be", "8918491458ca474d"),
            ("BC:57:29:02:45:9F", "Bench-07", "01020304", "762368bb19ebf62067307c42cb680b01", nil),
            ("BC:57:29:02:45:9F", "Bench-07", "A1A2A3A4", "9d9cc8acf3b1fed1f6727963f4685cae", nil),
            ("AA:BB:CC:DD:EE:FF", nil, "12345678", "82fd5b28f21c70b727755b53d9e8113a", "a588007b2bf4618d"),
            ("AA:BB:CC:DD:EE:FF", nil, "DEADBEEF", "0c36cbccd3addaa76ac69cf5809a1c7c", "66f057395337c6db"),
        ] as [(String, String?, String, String, String?)])
    func `proves a password by these digests`(
        address: String, password: String?, question: String, whole: String, folded: String?
    ) throws {
        let digest = KBeaconDigest(
            to: [UInt8](hex: question), of: try #require(DeviceAddress(address)),
            password.map { Secret($0) } ?? Self.factory)
        #expect(digest.bytes.hex == whole)
        if let folded { #expect(digest.folded.hex == folded) }
    }

    @Test func `uses whole digests`() throws {
        var played = try Self.played()
        #expect(played.written == "130101020304")
        try played.hear(Self.proof)
        #expect(played.written == "1302f68f1a0c0aec3d42cbc89ceea2b4f57f")
        try played.hear("13 02 FB")
        // 251 - 3 for the attribute's header, less our own 244, less the packet's.
        #expect(played.ending == KBeaconHandshake.Terms(dataLength: 241))
    }

    @Test func `uses folded digests`() throws {
        var played = try Self.played(writing: 20)
        try played.hear("13 0B A1A2A3A4 69e1e507ab3fd077")
        #expect(played.written == "130c3d4786e2a858c83d")
        try played.hear("10 02")
        #expect(played.ending == KBeaconHandshake.Terms(dataLength: 17))
    }

    @Test func `sets the clock if one is given`() throws {
        let played = try Self.played(clock: 42)
        #expect(played.written == "1301010203040000002a")
    }

    @Test(arguments: [(244, "1302", 17), (244, "1302FB", 241), (244, "130217", 17), (20, "1302FB", 17)])
    func `uses the smaller of both packet sizes`(length: Int, end: String, data: Int) throws {
        var played = try Self.played(writing: length)
        try played.hear(Self.proof)
        try played.hear(end)
        #expect(played.ending == KBeaconHandshake.Terms(dataLength: data))
    }

    @Test(arguments: [Self.proof, "13 0B A1A2A3A4 69e1e507ab3fd077"])
    func `sends nothing if the beacon has a different password`(proof: String) throws {
        var played = try Self.played(Secret("Bench-07"))
        let failure = #expect(throws: SessionFailure.self) { try played.hear(proof) }
        #expect(failure?.code == .session.passwordWrong)
    }

    @Test func `distinguishes a refused proof from a different password`() throws {
        var played = try Self.played()
        try played.hear(Self.proof)
        let failure = #expect(throws: SessionFailure.self) { try played.hear("13 F1") }
        #expect(failure?.code == .session.authenticationRefused)
    }

    @Test func `ignores other packets, and a repeated proof`() throws {
        var played = try Self.played()
        try played.hear("23 0000 0000 0000")
        #expect(played.waits)
        try played.hear("")
        try played.hear(Self.proof)
        try played.hear(Self.proof)
        #expect(played.waits)
        try played.hear("13 02 FB")
        #expect(played.ending != nil)
    }

    @Test func `ends if the beacon never stops`() throws {
        var played = try Self.played()
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0..<100 { try played.hear("23 0000 0000 0000") }
        }
        #expect(failure?.code == .session.answerMalformed)
    }

    @Test func `reports that a device has no such session`() throws {
        var played = try PlayedDialogue(
            KBeaconHandshake(
                with: try #require(Self.address), Self.factory, challenge: 1, settingClock: nil))
        let failure = #expect(throws: SessionFailure.self) { try played.take(.absent) }
        #expect(failure?.code == .session.notOffered)
    }

    @Test func `ends with silence`() throws {
        var played = try Self.played()
        #expect(throws: SessionFailure.self) { try played.take(.timedOut) }
        played = try Self.played()
        try played.hear(Self.proof)
        let failure = #expect(throws: SessionFailure.self) { try played.take(.timedOut) }
        #expect(failure?.code == .device.noAnswer)
    }

    @Test(arguments: [Self.proof, "13 0B A1A2A3A4 69e1e507ab3fd077"])
    func `accepts no proof that is cut off or changed`(proof: String) throws {
        let bytes = [UInt8](hex: proof)
        for length in bytes.indices {
            var played = try Self.played()
            try played.take(.value(Array(bytes.prefix(length))))
            #expect(played.waits, "\(length) bytes")
        }
        for index in bytes.indices where !(2..<6).contains(index) && index > 1 {
            var played = try Self.played()
            var flipped = bytes
            flipped[index] ^= 0x40
            let failure = #expect(throws: SessionFailure.self) { try played.take(.value(flipped)) }
            #expect(failure?.code == .session.passwordWrong)
        }
    }

    @Test func `never prints the password`() throws {
        let played = try Self.played(Secret("Bench-07"))
        var text = "\(played.dialogue) \(String(reflecting: played.dialogue))"
        dump(played.dialogue, to: &text)
        #expect(!text.contains("Bench") && !text.contains("66, 101, 110"))
    }
}
