import Bytes
import Nordic
import TestSupport
import Testing

@Suite struct `A damaged init packet` {
    @Test(arguments: InitPacketVector.all)
    func `is refused at every length, with an offset`(_ vector: InitPacketVector) throws {
        for hex in [vector.packet, vector.unsignedPacket] {
            for prefix in Corruption.prefixes(of: try HexText.decode(hex)) {
                let error = refusal(of: prefix)
                #expect((0...prefix.count).contains(error?.offset ?? -1), "\(prefix.count) bytes")
                #expect(error?.field.isEmpty == false)
            }
        }
    }

    @Test(arguments: InitPacketVector.all)
    func `with any byte changed is refused with an offset, or loses its signature`(
        _ vector: InitPacketVector
    ) throws {
        let bytes = try HexText.decode(vector.packet)
        let whole = try InitPacket(parsing: bytes)
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        for (index, changed) in Corruption.flips(of: bytes) {
            do throws(InitPacketError) {
                let packet = try InitPacket(parsing: changed)
                // The operation is not signed; all other significant bytes are.
                guard packet.isSigned(by: key) else { continue }
                #expect(packet.signedBytes == whole.signedBytes, "byte \(index)")
                #expect(packet.signature == whole.signature, "byte \(index)")
            } catch {
                #expect((0...bytes.count).contains(error.offset), "byte \(index): \(error)")
            }
        }
    }

    @Test(arguments: InitPacketVector.all, 1..<5)
    func `is refused with bytes after its end`(_ vector: InitPacketVector, _ count: Int) throws {
        let bytes = try HexText.decode(vector.packet)
        let error = refusal(of: bytes + [UInt8](repeating: 0, count: count))
        #expect(
            error
                == InitPacketError(
                    offset: bytes.count, field: "Packet", reason: .bytes(.trailing(count: count))))
    }

    static let flaws: [(String, InitPacketError)] = [
        ("", InitPacketError(offset: 0, field: "Packet", reason: .empty)),
        ("1200", InitPacketError(offset: 2, field: "SignedCommand.command", reason: .missing)),
        ("0a00", InitPacketError(offset: 2, field: "Command.init", reason: .missing)),
        (
            "0801",
            InitPacketError(offset: 0, field: "Packet.command", reason: .wrongWireType(expected: 2, found: 0))
        ),
        ("7801", InitPacketError(offset: 0, field: "Packet", reason: .noKind)),
        (
            "0b",
            InitPacketError(offset: 0, field: "Packet.command", reason: .wrongWireType(expected: 2, found: 3))
        ),
        ("7b", InitPacketError(offset: 0, field: "Packet", reason: .wrongWireType(expected: 2, found: 3))),
        ("0a001200", InitPacketError(offset: 2, field: "Packet", reason: .bothKinds)),
        ("0a000a00", InitPacketError(offset: 2, field: "Packet.command", reason: .repeated)),
        ("0a0412001200", InitPacketError(offset: 4, field: "Command.init", reason: .repeated)),
        ("0a0412000801", InitPacketError(offset: 4, field: "Command", reason: .afterInitCommand)),
        ("0a0412007801", InitPacketError(offset: 4, field: "Command", reason: .afterInitCommand)),
        (
            "0a0a 1208 08ffffffffff7f 10".filter { !$0.isWhitespace },
            InitPacketError(
                offset: 5, field: "InitCommand.fw_version", reason: .numberTooLarge(0x3FF_FFFF_FFFF))
        ),
        (
            "0a0d120b08ffffffffffffffffff02",
            InitPacketError(
                offset: 5, field: "InitCommand.fw_version", reason: .bytes(.tooLong(limit: 10, found: 11)))
        ),
        (
            "0a0612041a029880",
            InitPacketError(
                offset: 8, field: "InitCommand.sd_req", reason: .bytes(.truncated(needed: 1, available: 0)))
        ),
        (
            "0a0612044202 0803".filter { !$0.isWhitespace },
            InitPacketError(offset: 6, field: "Hash.hash", reason: .missing)
        ),
        (
            "0affffffff0f",
            InitPacketError(
                offset: 6, field: "Packet.command",
                reason: .bytes(.truncated(needed: 0xFFFF_FFFF, available: 0)))
        ),
    ]

    @Test(arguments: flaws)
    func `names the wrong field`(_ hex: String, _ error: InitPacketError) throws {
        #expect(refusal(of: try HexText.decode(hex)) == error)
    }

    private func refusal(of bytes: [UInt8]) -> InitPacketError? {
        do throws(InitPacketError) {
            _ = try InitPacket(parsing: bytes)
            return nil
        } catch { return error }
    }
}
