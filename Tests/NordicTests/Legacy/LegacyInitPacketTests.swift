import Bytes
import Nordic
import TestSupport
import Testing

@Suite struct `A Legacy init packet` {
    @Test(arguments: LegacyInitPacketVector.all)
    func `is read in each generation`(_ vector: LegacyInitPacketVector) throws {
        let packet = try LegacyInitPacket(parsing: vector.bytes)
        #expect(packet.bytes == vector.bytes)
        #expect(packet.deviceType == 0x52)
        #expect(packet.deviceRevision == 0xADAF)
        #expect(packet.applicationVersion == .max)
        #expect(packet.softDeviceRequirements == [0xB6])
        #expect(packet.end.generation == vector.generation)
        let hasCRC = [.crc16, .extendedCRC16].contains(vector.generation)
        #expect(packet.end.crc16 == (hasCRC ? 0x297F : nil))
        #expect(packet.end.length == (hasCRC ? nil : 4100))
        #expect(packet.end.digest.map(HexText.encode) == (hasCRC ? nil : LegacyInitPacketVector.hash))
        #expect((packet.end.signature == nil) == (vector.generation != .signedHash))
    }

    @Test func `has the length of its generation`() {
        #expect(LegacyInitPacketVector.all.map(\.bytes.count) == [14, 18, 52, 116])
    }

    @Test func `is signed over all bytes before the signature, with the most significant byte first`() throws
    {
        let packet = try LegacyInitPacket(parsing: LegacyInitPacketVector.all[3].bytes)
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        #expect(packet.signedBytes == Array(packet.bytes.prefix(52)))
        #expect(packet.isSigned(by: key))
        #expect(!packet.isSigned(by: try OtherKey.key()))
    }

    @Test func `of the first generations has no signature to check`() throws {
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        for vector in LegacyInitPacketVector.all.prefix(3) {
            let packet = try LegacyInitPacket(parsing: vector.bytes)
            #expect(packet.signedBytes == nil)
            #expect(!packet.isSigned(by: key))
        }
    }

    @Test func `from before SDK 7 is a CRC16 alone`() throws {
        let packet = try LegacyInitPacket(parsing: [0x7F, 0x29])
        #expect(packet.isChecksumAlone && packet.bytes == [0x7F, 0x29] && packet.padding == [])
        #expect(packet.end.generation == .crc16 && packet.end.crc16 == 0x297F)
        #expect(packet.softDeviceRequirements == [])
    }

    /// The template reads the first two bytes after the list, and has space for ten.
    @Test(arguments: [
        ("ab03 0000", 2), ("ab03 00000000", 4), ("ab03 0000 deadbeef cafe", 8), ("0100 0000 00", 3),
        ("0300 0000 0000", 4), ("0000 00", 1),
    ])
    func `may be padded after its CRC16`(tail: String, padding: Int) throws {
        let bytes = [UInt8](hex: "5200 0100 00000000 0100 feff \(tail)")
        let packet = try LegacyInitPacket(parsing: bytes)
        #expect(packet.padding == Array(bytes.suffix(padding)))
        #expect(packet.end.generation == .crc16)
        #expect(packet.end.crc16 == UInt16(bytes[12]) | UInt16(bytes[13]) << 8)
        #expect(packet.bytes == bytes && !packet.isChecksumAlone)
    }

    @Test func `may name no SoftDevice, or many`() throws {
        let none = try LegacyInitPacket(parsing: [UInt8](hex: "ffff ffff ffffffff 0000 7f29"))
        #expect(none.softDeviceRequirements == [])
        let three = try LegacyInitPacket(parsing: [UInt8](hex: "ffff ffff 07000000 0300 6400 5a00 feff 7f29"))
        #expect(three.softDeviceRequirements == [0x64, 0x5A, 0xFFFE])
        #expect(three.applicationVersion == 7)
    }
}

@Suite struct `A damaged Legacy init packet` {
    @Test(arguments: LegacyInitPacketVector.all)
    func `is refused at every length, with an offset, unless an older generation ends there`(
        _ vector: LegacyInitPacketVector
    ) {
        var readable: [Int] = []
        for prefix in Corruption.prefixes(of: vector.bytes) {
            do throws(InitPacketError) {
                let packet = try LegacyInitPacket(parsing: prefix)
                #expect(packet.end.generation != vector.generation || packet.isChecksumAlone)
                readable.append(prefix.count)
            } catch {
                #expect((0...prefix.count).contains(error.offset), "\(prefix.count) bytes: \(error)")
                #expect(!error.field.isEmpty)
            }
        }
        #expect(readable == vector.readablePrefixes)
    }

    @Test(arguments: LegacyInitPacketVector.all)
    func `with any byte changed is refused with an offset, or has other content`(
        _ vector: LegacyInitPacketVector
    ) throws {
        let whole = try LegacyInitPacket(parsing: vector.bytes)
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        for (index, changed) in Corruption.flips(of: vector.bytes) {
            do throws(InitPacketError) {
                let packet = try LegacyInitPacket(parsing: changed)
                #expect(!packet.isSigned(by: key), "byte \(index)")
                let same =
                    packet.deviceType == whole.deviceType && packet.deviceRevision == whole.deviceRevision
                    && packet.applicationVersion == whole.applicationVersion
                    && packet.softDeviceRequirements == whole.softDeviceRequirements
                    && packet.end == whole.end && packet.padding == whole.padding
                #expect(!same, "byte \(index)")
            } catch {
                #expect((0...vector.bytes.count).contains(error.offset), "byte \(index): \(error)")
            }
        }
    }

    @Test(arguments: LegacyInitPacketVector.all, [1, 2, 4, 5, 8, 9])
    func `is refused with bytes after its end, except for padding after a CRC16`(
        _ vector: LegacyInitPacketVector, _ count: Int
    ) throws {
        let bytes = vector.bytes + [UInt8](repeating: 0, count: count)
        let extensionBytes = bytes.count - 12
        guard ![.crc16, .extendedCRC16].contains(vector.generation) || extensionBytes > 10 else {
            let packet = try LegacyInitPacket(parsing: bytes)
            #expect(packet.padding == [UInt8](repeating: 0, count: count))
            #expect(packet.bytes == bytes)
            #expect(packet.end == (try LegacyInitPacket(parsing: vector.bytes).end))
            return
        }
        let error = refusal(of: bytes)
        #expect(error != nil)
        if vector.generation != .crc16 {
            #expect(
                error
                    == InitPacketError(
                        offset: vector.bytes.count, field: "init packet",
                        reason: .bytes(.trailing(count: count))))
        }
    }

    static let flaws: [(String, InitPacketError)] = [
        ("", InitPacketError(offset: 0, field: "device_type", reason: .empty)),
        ("52", at(0, "device_type", .truncated(needed: 2, available: 1))),
        ("5200 01", at(2, "device_revision", .truncated(needed: 2, available: 1))),
        ("5200 0100 010000", at(4, "application_version", .truncated(needed: 4, available: 3))),
        ("5200 0100 01000000 01", at(8, "number of SoftDevices", .truncated(needed: 2, available: 1))),
        ("5200 0100 01000000 0200 b600", at(10, "softdevice_req", .truncated(needed: 4, available: 2))),
        ("5200 0100 01000000 ffff", at(10, "softdevice_req", .truncated(needed: 131_070, available: 0))),
        ("5200 0100 01000000 0000 7f", at(10, "firmware_crc16", .truncated(needed: 2, available: 1))),
        (
            "5200 0100 01000000 0000 00000000 7f29 0000000000",
            at(16, "init packet", .trailing(count: 5))
        ),
        (
            "5200 0100 01000000 0000 01000000 04000000 000000",
            at(18, "firmware_hash", .truncated(needed: 32, available: 3))
        ),
        (
            "5200 0100 01000000 0000 03000000 00000000 000000",
            InitPacketError(offset: 10, field: "ext_packet_id", reason: .unknownExtension(3))
        ),
    ]

    @Test(arguments: flaws)
    func `names the wrong field`(_ hex: String, _ error: InitPacketError) {
        #expect(refusal(of: [UInt8](hex: hex)) == error)
        #expect(!error.description.contains("\n"))
    }

    private static func at(_ offset: Int, _ field: String, _ reason: ByteError.Reason) -> InitPacketError {
        InitPacketError(offset: offset, field: field, reason: .bytes(reason))
    }

    private func refusal(of bytes: [UInt8]) -> InitPacketError? {
        do throws(InitPacketError) {
            _ = try LegacyInitPacket(parsing: bytes)
            return nil
        } catch { return error }
    }
}
