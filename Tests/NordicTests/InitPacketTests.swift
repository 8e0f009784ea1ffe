import Bytes
import Nordic
import Testing

@Suite struct `An init packet` {
    @Test(arguments: InitPacketVector.all)
    func `is read field by field`(_ vector: InitPacketVector) throws {
        let bytes = try HexText.decode(vector.packet)
        let packet = try InitPacket(parsing: bytes)
        #expect(packet.bytes == bytes)
        #expect(CRC32.checksum(bytes) == vector.crc)
        #expect(packet.operation == 1)
        #expect(packet.firmwareVersion == 1)
        #expect(packet.hardwareVersion == 52)
        #expect(packet.softDeviceRequirements == [0x100])
        #expect(packet.type == .application)
        #expect([packet.softDeviceSize, packet.bootloaderSize, packet.applicationSize] == [0, 0, 4100])
        #expect(packet.expectedImageBytes == 4100)
        #expect(packet.hash?.type == ImageHash.sha256)
        #expect(packet.hash.map { HexText.encode($0.digest) } == InitPacketVector.imageDigest)
        #expect(packet.hash?.digest == SHA256Digest.digest(InitPacketVector.image))
        #expect(!packet.isDebug)
        #expect(packet.bootValidations.map(\.type) == vector.bootValidations)
        #expect(packet.bootValidations.allSatisfy { $0.bytes.isEmpty })
        #expect(packet.unknownFields == [])
    }

    @Test(arguments: InitPacketVector.all)
    func `keeps the signed bytes unchanged`(_ vector: InitPacketVector) throws {
        let packet = try InitPacket(parsing: try HexText.decode(vector.packet))
        #expect(HexText.encode(packet.signedBytes) == vector.initCommand)
        #expect(packet.commandBytes.suffix(packet.signedBytes.count) == packet.signedBytes[...])
        #expect(packet.signature.map { HexText.encode($0.bytes) } == vector.signature)
        #expect(packet.signature?.typeName == "ecdsa-p256-sha256")
    }

    @Test(arguments: InitPacketVector.all)
    func `verifies with the key that signed it and no other`(_ vector: InitPacketVector) throws {
        let packet = try InitPacket(parsing: try HexText.decode(vector.packet))
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        #expect(packet.isSigned(by: key))
        #expect(!packet.isSigned(by: try OtherKey.key()))
    }

    @Test(arguments: InitPacketVector.all)
    func `has the same content without its signature`(_ vector: InitPacketVector) throws {
        let bytes = try HexText.decode(vector.unsignedPacket)
        let packet = try InitPacket(parsing: bytes)
        let signed = try InitPacket(parsing: try HexText.decode(vector.packet))
        #expect(CRC32.checksum(bytes) == vector.unsignedCRC)
        #expect(!packet.isSigned && signed.isSigned)
        #expect(packet.commandBytes == signed.commandBytes)
        #expect(packet.signedBytes == signed.signedBytes)
        let key = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        #expect(!packet.isSigned(by: key))
    }

    @Test(arguments: ["1a0498018002", "189801188002", "1a029801188002"])
    func `lists SoftDevices packed, unpacked and mixed`(_ list: String) throws {
        let packet = try InitPacket(parsing: wrapped(try HexText.decode(list)))
        #expect(packet.softDeviceRequirements == [0x98, 0x100])
    }

    @Test func `takes the last of a number that occurs twice, and every byte of a list`() throws {
        let packet = try InitPacket(
            parsing: wrapped(
                try HexText.decode("0801 0802 1800 1a00 1a028000 48ff7f 4800 4206 0801 0803 1200")))
        #expect(packet.firmwareVersion == 2)
        #expect(packet.softDeviceRequirements == [0, 0])
        #expect(!packet.isDebug)
        #expect(packet.hash?.type == ImageHash.sha256)
        #expect(packet.hash?.bytes == [])
    }

    @Test func `keeps fields that the schema does not have`() throws {
        let packet = try InitPacket(parsing: wrapped(try HexText.decode("0801 7a03616263 a50611223344")))
        #expect(packet.unknownFields.map(\.number) == [15, 100])
        #expect(packet.unknownFields.map(\.bytes) == [[0x61, 0x62, 0x63], [0x11, 0x22, 0x33, 0x44]])
        #expect(packet.unknownFields.map(\.offset) == [6, 11])
        #expect(packet.unknownFields.allSatisfy { $0.message == "InitCommand" })
        #expect(HexText.encode(packet.signedBytes) == "08017a03616263a50611223344")
    }

    @Test func `knows the size fields of each type`() throws {
        for (type, bytes) in [(0, 4), (1, 1), (2, 2), (3, 3), (4, 4)] as [(UInt8, Int)] {
            let packet = try InitPacket(parsing: wrapped([0x20, type, 0x28, 1, 0x30, 2, 0x38, 4]))
            #expect(packet.expectedImageBytes == bytes)
        }
        #expect(try InitPacket(parsing: wrapped([0x20, 9])).expectedImageBytes == nil)
        #expect(try InitPacket(parsing: wrapped([])).expectedImageBytes == nil)
    }
}

/// An unsigned packet around the fields of an init command.
func wrapped(_ fields: [UInt8]) -> [UInt8] {
    let command = [0x12, UInt8(fields.count)] + fields
    return [0x0A, UInt8(command.count)] + command
}
