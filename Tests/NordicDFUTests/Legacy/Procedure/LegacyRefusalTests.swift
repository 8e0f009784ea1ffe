import TestSupport
import Testing
import UpdateCore

@testable import NordicDFU

@Suite struct `A status of a Legacy bootloader` {
    /// Until the procedure gives up: what it says after the status in answer to Start, the init packet, the image
    /// or Validate, however often it begins again.
    private func ending(_ opcode: UInt8, _ status: UInt8, _ image: LegacyImage) throws -> UpdateFailure? {
        var procedure = LegacyProcedure(image)
        for _ in 0..<16 {
            do throws(UpdateFailure) {
                var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
                for _ in 0..<64 {
                    if case .restart = step.command { break }
                    step = try procedure.advance(after: outcome(of: step.command, opcode, status, procedure))
                    if case .complete = step.command { return nil }
                }
            } catch { return error }
        }
        return nil
    }

    private func outcome(
        of command: UpdateCommand, _ opcode: UInt8, _ status: UInt8, _ procedure: LegacyProcedure
    ) -> UpdateOutcome {
        func answer(_ request: UInt8) -> UpdateOutcome {
            .value([0x10, request, request == opcode ? status : 1])
        }
        switch command {
        case .read: return .value([8, 0])
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
        #expect(failure.message.hasSuffix("(status \(status))"))
        #expect(!failure.mayReconnect)
    }

    @Test(arguments: 0...255) func `ends every conversation, whatever it is and to whatever`(_ status: Int)
        throws
    {
        for opcode in [1, 2, 3, 4] as [UInt8] where status != 1 {
            #expect(try ending(opcode, UInt8(status), LegacySubject.firmware(20)) != nil, "opcode \(opcode)")
        }
    }

    @Test func `names what the init packet asks for`() throws {
        let failure = try ending(2, 6, LegacySubject.firmware(20))
        #expect(
            failure?.message
                == "the device is not the one that the init packet names: device type 0x52, revision 0xADAF, "
                + "SoftDevice 0xB6 (status 6)")
    }

    @Test func `2 to Receive means that an init packet is missing, where none was sent`() throws {
        let failure = try ending(3, 2, LegacySubject.firmware(20, initPacket: nil))
        #expect(failure?.code.rawValue == "init-packet-missing")
    }
}

@Suite struct `A notification of a Legacy bootloader` {
    @Test(
        arguments: [
            ("100101", .status(1, of: 1)), ("100306", .status(6, of: 3)), ("100702", .status(2, of: 7)),
            ("10070104030201", .count(0x0102_0304)), ("1104030201", .receipt(0x0102_0304)),
            ("10010100ffff", .status(1, of: 1)), ("1104030201ff", .receipt(0x0102_0304)),
        ] as [(String, LegacyAnswer)])
    func `is read as what it is`(_ text: String, _ answer: LegacyAnswer) {
        #expect(LegacyAnswer([UInt8](hex: text)) == answer)
    }

    @Test(arguments: [
        "", "10", "1001", "11", "1104", "110403", "11040302", "100701", "10070104", "600101", "00",
    ])
    func `is nothing where it is too short or begins otherwise`(_ text: String) {
        #expect(LegacyAnswer([UInt8](hex: text)) == nil)
    }
}
