import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `A status of a Legacy bootloader` {
    /// Until the procedure gives up: sends the status in answer to Start, the init packet, the image or Validate,
    /// however often it begins again.
    private func ending(_ opcode: UInt8, _ status: UInt8, _ image: LegacyImage) throws -> UpdateFailure? {
        var procedure = LegacyProcedure(image)
        for _ in 0..<16 {
            do throws(UpdateFailure) {
                var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
                for _ in 0..<64 {
                    if case .end(.restart) = step.command { break }
                    step = try procedure.advance(after: outcome(of: step.command, opcode, status, procedure))
                    if case .end(.complete) = step.command { return nil }
                }
            } catch { return error }
        }
        return nil
    }

    private func outcome(
        of command: UpdateCommand, _ opcode: UInt8, _ status: UInt8, _ procedure: LegacyProcedure
    ) -> DialogueOutcome {
        func answer(_ request: UInt8) -> DialogueOutcome {
            .value([0x10, request, request == opcode ? status : 1])
        }
        switch command {
        case .read: return .value([8, 0])
        case .readIfAllowed: return .absent
        case .request(let bytes, _, _, _): return answer(bytes[0])
        case .expect:
            guard case .asking(let request, _, _) = procedure.state else { return answer(3) }
            return answer(request.opcode)
        default: return .done
        }
    }

    @Test(
        arguments: [
            (1, 2, "wrong-state"), (1, 3, "image-type-unsupported"), (1, 4, "insufficient-space"),
            (1, 5, "operation-failed"), (1, 6, "operation-failed"), (1, 0, "unknown-result"),
            (1, 7, "unknown-result"), (2, 2, "wrong-state"), (2, 3, "opcode-not-supported"),
            (2, 4, "init-packet-too-long"), (2, 5, "init-packet-refused"), (2, 6, "init-packet-refused"),
            (2, 255, "unknown-result"), (3, 2, "wrong-state"), (3, 3, "packet-length-refused"),
            (3, 4, "data-overrun"), (3, 5, "operation-failed"), (3, 6, "too-fast"), (3, 9, "unknown-result"),
            (4, 2, "image-incomplete"), (4, 3, "opcode-not-supported"), (4, 4, "operation-failed"),
            (4, 5, "image-crc-mismatch"), (4, 6, "operation-failed"), (4, 128, "unknown-result"),
        ] as [(UInt8, UInt8, String)])
    func `has a code for every step`(_ opcode: UInt8, _ status: UInt8, _ code: String) throws {
        let failure = try #require(try ending(opcode, status, LegacySubject.firmware(20)))
        #expect(failure.code.rawValue == code)
        #expect(failure.message.hasSuffix("(status 0x\(HexText.digits(status, uppercase: true)))"))
        #expect(!failure.mayReconnect)
    }

    @Test(arguments: 0...255) func `ends every conversation, at whatever step`(_ status: Int)
        throws
    {
        for opcode in [1, 2, 3, 4] as [UInt8] where status != 1 {
            #expect(try ending(opcode, UInt8(status), LegacySubject.firmware(20)) != nil, "opcode \(opcode)")
        }
    }

    @Test func `names the requirements of the init packet`() throws {
        let failure = try ending(2, 6, LegacySubject.firmware(20))
        #expect(
            failure?.message
                == "the beacon does not match the init packet: device type 0x52, revision 0xADAF, "
                + "SoftDevice 0xB6 (status 0x06)")
    }

    @Test func `of 2 to Receive means that an init packet is missing, if none was sent`() throws {
        let failure = try ending(3, 2, LegacySubject.firmware(20, initPacket: nil))
        #expect(failure?.code.rawValue == "init-packet-missing")
    }
}

@Suite struct `The hint after a Legacy refusal` {
    private static let hash =
        "5200afadffffffff0100b600 01000000 08000000" + String(repeating: "00", count: 32)

    private func remedy(
        _ request: LegacyRequest, _ status: UInt8, _ image: LegacyImage, on quirks: LegacyQuirks = .stock
    ) -> String {
        LegacyRefusal(status: status).failure(of: request, for: image, on: quirks).remedy?.description
            ?? "none"
    }

    @Test func `of the init packet names the package's requirements`() throws {
        let words = try remedy(.completeInit, 6, LegacySubject.firmware(8))
        #expect(words.contains("0xB6 (S140 6.1.1)"))
        #expect(words.contains("the device type"))
        #expect(!words.contains("shorter"))
        let system = try remedy(.completeInit, 6, LegacySubject.firmware(200, role: .softdevice))
        #expect(system.contains("0xB6 (S140 6.1.1) is installed"))
    }

    @Test func `of an init packet for any device names the remaining causes`() throws {
        let any = try LegacySubject.firmware(8, initPacket: "ffffffffffffffff0100feff7f29")
        #expect(
            remedy(.completeInit, 6, any, on: LegacyQuirks.of(version: [5, 0]))
                == "build with the device type and the device revision of this product, because this packet names no type"
        )
        let none = try LegacySubject.firmware(8, initPacket: "ffffffffffffffff00007f29")
        #expect(remedy(.completeInit, 6, none).hasPrefix("build with the list of SoftDevices, because"))
    }

    private static func signed() throws -> LegacyImage {
        let vector = try #require(LegacyInitPacketVector.all.last)
        return LegacyImage(bytes: [1, 2, 3, 4], initPacket: try LegacyInitPacket(parsing: vector.bytes))
    }

    @Test func `of a signed init packet mentions its length and its key`() throws {
        let image = try Self.signed()
        let words = remedy(.completeInit, 6, image)
        #expect(words.contains("116 bytes"))
        #expect(words.contains("this product's key"))
        #expect(remedy(.completeInit, 4, image).contains("116 bytes"))
    }

    /// Only the template of SDK 11, with version 0.8, verifies signatures.
    @Test(arguments: [("0500", "0.5"), ("0600", "0.5"), ("0700", "0.7")])
    func `of a signed init packet has no key for a generation without signatures, but its own format`(
        _ version: String, _ format: String
    ) throws {
        let words = try remedy(
            .completeInit, 6, Self.signed(), on: LegacyQuirks.of(version: [UInt8](hex: version)))
        #expect(!words.contains("key"))
        #expect(words.contains("the format of the init packet \(format)"))
        #expect(words.contains("the device type"))
    }

    @Test func `of an unsigned init packet has the signature that version 0.8 may require`() throws {
        let image = try LegacySubject.firmware(8)
        #expect(remedy(.completeInit, 6, image).contains("the format of the init packet 0.8"))
        for version in [[5, 0], [6, 0], [7, 0], nil] as [[UInt8]?] {
            #expect(!remedy(.completeInit, 6, image, on: LegacyQuirks.of(version: version)).contains("0.8"))
        }
    }

    @Test func `of an init packet that fits no bootloader is to shorten it`() throws {
        let list = String(repeating: "b600", count: 60)
        let image = try LegacySubject.firmware(8, initPacket: "5200afadffffffff3c00\(list)7f29")
        #expect(
            remedy(.completeInit, 6, image)
                == "build a shorter init packet (fewer SoftDevices in the list of SoftDevices): this one has 132 bytes, "
                + "bootloaders accept up to 64, those with two banks up to 128")
        #expect(remedy(.completeInit, 4, image) == remedy(.completeInit, 6, image))
    }

    @Test func `of a short init packet that is refused as too long is not to shorten it`() throws {
        #expect(try !remedy(.completeInit, 4, LegacySubject.firmware(8)).contains("shorter"))
    }

    @Test func `leaves out what Adafruit's bootloader has reported`() throws {
        for (text, hasSoftDevice) in [("0.8.0 s140 6.1.1", false), ("a build of ours", true)] {
            var script = try LegacyScript(LegacySubject.firmware(8))
            script.revision = text
            try script.connect()
            script.expect([
                ("100101", "write 0200"), ("done", "packet \(LegacySubject.initPacket)"),
                ("done", "ask 0201"),
            ])
            _ = script.after("100206")
            let words = try #require(script.failure?.remedy).description
            #expect(words.contains("S140 6.1.1") == hasSoftDevice)
            #expect(words.contains("0.8") == hasSoftDevice)
        }
    }

    @Test func `of an image's checksum names the generation that the bootloader reads`() throws {
        let hash = try LegacySubject.firmware(8, initPacket: Self.hash)
        #expect(remedy(.validate, 5, hash).contains("the format of the init packet 0.5"))
        #expect(remedy(.validate, 5, hash, on: .hashing) == "none")
        #expect(
            try remedy(.validate, 5, LegacySubject.firmware(8), on: .hashing).contains(
                "the format of the init packet 0.7"))
        #expect(try remedy(.validate, 5, LegacySubject.firmware(8)) == "none")
    }

    @Test func `of a start depends on the image and its size`() throws {
        let start = LegacyRequest.start(mode: 4)
        #expect(try remedy(start, 4, LegacySubject.firmware(8)).contains("fewer than 8 bytes"))
        let system = try LegacySubject.firmware(400, role: .softdeviceBootloader)
        #expect(remedy(start, 4, system).contains("100 bytes of SoftDevice and 300 of bootloader"))
        #expect(remedy(start, 3, system).contains("install only the application"))
        #expect(
            try remedy(.receive, 2, LegacySubject.firmware(8, initPacket: nil)).contains(
                "a build of a package of kind nordic-legacy"))
    }

    @Test(
        arguments: [
            ("0800", LegacySubject.initPacket, "write 06"), ("0500", LegacySubject.initPacket, "write 06"),
            ("0700", LegacySubject.initPacket, "fail image-crc-mismatch"), ("0700", hash, "write 06"),
            ("0800", hash, "fail image-crc-mismatch"), ("0500", hash, "fail image-crc-mismatch"),
        ])
    func `is not to send again what the bootloader cannot have compared`(
        _ version: String, _ packet: String, _ command: String
    ) throws {
        let packet = packet.filter { $0 != " " }
        var script = try LegacyScript(LegacySubject.firmware(8, initPacket: packet))
        try script.connect(version: version)
        script.expect([
            ("100101", "write 0200"), ("done", "packet \(packet)"), ("done", "ask 0201"),
            ("100201", "write 080800"), ("done", "write 03"), ("done", "rest 100"), ("done", "send 0..<8"),
            ("done", "listen"), ("100301", "ask 04"), ("100405", command),
        ])
    }
}

@Suite struct `A notification of a Legacy bootloader` {
    @Test(
        arguments: [
            ("100101", .status(1, of: 1)), ("100306", .status(6, of: 3)), ("100702", .status(2, of: 7)),
            ("10070104030201", .count(0x0102_0304)), ("1104030201", .receipt(0x0102_0304)),
            ("10010100ffff", .status(1, of: 1)), ("1104030201ff", .receipt(0x0102_0304)),
        ] as [(String, LegacyAnswer)])
    func `is read as its kind`(_ text: String, _ answer: LegacyAnswer) {
        #expect(LegacyAnswer([UInt8](hex: text)) == answer)
    }

    @Test(arguments: [
        "", "10", "1001", "11", "1104", "110403", "11040302", "100701", "10070104", "600101", "00",
    ])
    func `is refused if it is too short or begins otherwise`(_ text: String) {
        #expect(LegacyAnswer([UInt8](hex: text)) == nil)
    }
}
