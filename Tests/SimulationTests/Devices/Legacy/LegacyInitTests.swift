import Bytes
import Testing

@testable import Simulation

@Suite struct `A Legacy init packet` {
    static let image = LegacyBench.image

    static func answer(
        _ packet: [UInt8], _ personality: LegacyPersonality = .sdk11, key: P256PublicKey? = nil,
        mode: Int = 4, _ equip: (inout LegacyDevice) -> Void = { _ in }
    ) -> String? {
        var bench = LegacyBench(personality, key: key, equip)
        _ = bench.start(mode, mode == 4 ? [0, 0, 4100] : [4100, 0, 0])
        return bench.install(packet)
    }

    @Test func `of the golden vector is accepted`() {
        #expect(LegacyInit(Self.image).packet == hex("5200afadffffffff0100b6007f29"))
        #expect(Self.answer(hex("5200afadffffffff0100b6007f29")) == "100201")
    }

    @Test(arguments: [
        ([0xB6], "100201"), ([0x80, 0xB6], "100201"), ([0xFFFE], "100201"), ([0x80, 0xFFFE], "100201"),
        ([0x80], "100206"), ([], "100206"), ([0xFFFF], "100206"),
    ])
    func `has to list the installed SoftDevice, or FFFE`(list: [Int], answer: String) {
        #expect(Self.answer(LegacyInit(Self.image) { $0.softDevices = list }.packet) == answer)
    }

    @Test(arguments: [
        ([0xB6], "100201"), ([0x80, 0xB6], "100206"), ([], "100201"), ([0xFFFE], "100201"),
    ])
    func `is read by the signing template as far as the first SoftDevice`(list: [Int], answer: String) {
        let tail = LegacyInit.digest(Self.image, identifier: 2) + [UInt8](repeating: 1, count: 64)
        let packet = LegacyInit(Self.image) {
            $0.softDevices = list
            $0.tail = tail
        }
        #expect(Self.answer(packet.packet, .sdk11Signed) == answer)
    }

    @Test(arguments: [
        (UInt16?.none, UInt16?.none, "100201"), (0x52, 0xADAF, "100201"), (0x53, nil, "100206"),
        (nil, 1, "100206"),
    ])
    func `has to be for the device, if that has a type and a revision`(
        type: UInt16?, revision: UInt16?, answer: String
    ) {
        let given = Self.answer(LegacyInit(Self.image).packet) {
            $0.type = type
            $0.revision = revision
        }
        #expect(given == answer)
    }

    @Test(arguments: [
        (0x52, 0xFFFF, 4, "100201"), (0x53, 0xADAF, 4, "100206"), (0x52, 0xADAF, 1, "100201"),
        (0x52, 52840, 1, "100206"), (0xFFFF, 0xADAF, 4, "100206"),
    ])
    func `for Adafruit's bootloader has type 0052, and for system parts the chip's revision`(
        type: Int, revision: Int, mode: Int, answer: String
    ) {
        let packet = LegacyInit(Self.image) {
            $0.type = type
            $0.revision = revision
        }
        #expect(Self.answer(packet.packet, .adafruit, mode: mode) == answer)
    }

    @Test func `that is cut short or lists more than it holds is refused`() {
        let whole = LegacyInit(Self.image).packet
        for count in stride(from: 4, to: 12, by: 4) {
            #expect(Self.answer(Array(whole.prefix(count))) == "100206")
        }
        #expect(Self.answer(LegacyInit(Self.image) { $0.tail = [] }.packet) == "100206")
        #expect(Self.answer(hex("5200afadffffffffffffb6007f29")) == "100206")
    }

    @Test func `may be sent again after a failure, and a repeated one is appended`() {
        var bench = LegacyBench()
        _ = bench.start(4, [0, 0, 4100])
        #expect(bench.install(LegacyInit(Self.image) { $0.softDevices = [1] }.packet) == "100206")
        #expect(bench.install(LegacyInit(Self.image).packet) == "100201")
        #expect(bench.install(LegacyInit(Self.image).packet) == "100202")
        bench = LegacyBench()
        _ = bench.start(4, [0, 0, 4100])
        bench.ask("0200")
        bench.send(hex("01020304"))
        #expect(bench.install(LegacyInit(Self.image).packet) == "100206")
    }

    @Test func `has its packets padded with zeros, so that it may be split at whole words only`() {
        // 14 bytes in packets of 6 become 6 + 2, 6 + 2, 2 + 2.
        var bench = LegacyBench()
        _ = bench.start(4, [0, 0, 4100])
        #expect(bench.install(LegacyInit(Self.image).packet, payload: 6) == "100206")
        bench = LegacyBench()
        _ = bench.start(4, [0, 0, 4100])
        #expect(bench.install(LegacyInit(Self.image).packet, payload: 8) == "100201")
    }

    @Test func `is refused before the start, and its end before its beginning`() {
        var bench = LegacyBench()
        bench.ask("0200")
        #expect(bench.send(LegacyInit(Self.image).packet) == "100202")
        _ = bench.start(4, [0, 0, 4100])
        #expect(bench.ask("0201") == "100202")
    }

    @Test(arguments: [
        (LegacyPersonality.sdk11, 0, 4),  // the template takes the leading 0 for the checksum
        (.sdk8, 0, 4),
    ])
    func `with an identifier is wrong to the stock template`(
        personality: LegacyPersonality, identifier: Int, width: Int
    ) {
        var bench = LegacyBench(personality)
        let packet = LegacyInit(Self.image) { $0.tail = LegacyInit.bytes(identifier, width) + $0.tail }
        #expect(bench.prepare(Self.image, packet.packet) == true)
        #expect(bench.stream(Self.image) == ["100301"])
        #expect(bench.ask("04") == "100405")
    }

    @Test func `may be read with an identifier by bootloaders built for it`() {
        var personality = LegacyPersonality.sdk8
        personality.imageCheck = .extendedChecksum
        var bench = LegacyBench(personality)
        let packet = LegacyInit(Self.image) { $0.tail = LegacyInit.bytes(0, 4) + $0.tail }
        #expect(bench.prepare(Self.image, packet.packet) == true)
        #expect(bench.stream(Self.image) == ["100301"])
        #expect(bench.ask("04") == "100401")
    }

    @Test func `is signed by the device's key or refused at its end`() throws {
        let key = try #require(GoldenUpdate.key)
        let signing = try #require(P256PrivateKey(scalar: Self.testScalar))
        let head = LegacyInit(Self.image).head + LegacyInit.digest(Self.image, identifier: 2)
        let halves = try signing.signature(of: head)
        let signature = halves.r + halves.s
        for (spoilt, answer) in [(UInt8(0), "100201"), (1, "100206")] {
            let packet = head + [signature[0] ^ spoilt] + signature.dropFirst()
            #expect(Self.answer(packet, .sdk11Signed, key: key) == answer)
        }
        #expect(Self.answer(LegacyInit(Self.image).packet, .sdk11Signed, key: key) == "100206")
    }

    /// RFC 6979, A.2.5.
    static let testScalar = hex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
}
