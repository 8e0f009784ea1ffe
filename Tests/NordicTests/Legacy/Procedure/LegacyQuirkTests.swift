import Bluetooth
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `The quirks of Legacy bootloaders` {
    @Test(arguments: [[5, 0], [6, 0], [8, 0], [9, 0], [0xFF, 0xFF], [8]] as [[UInt8]])
    func `are those from before SDK 7 only without a version`(_ version: [UInt8]) {
        var quirks = LegacyQuirks.of(version: version)
        quirks.mayVerifySignatures = true
        #expect(quirks == .stock)
    }

    @Test func `include packets of 20 bytes and receipts after 8, whatever the MTU`() {
        for quirks in [LegacyQuirks.stock, .beforeSDK7] {
            #expect(LegacyQuirks.packetLength == 20)
            #expect(quirks.receiptInterval == 8)
        }
    }

    @Test func `include a SHA-256 in the init packet for version 0.7, and a CRC16 for others`() throws {
        #expect(LegacyQuirks.of(version: [7, 0]) == .hashing)
        for vector in LegacyInitPacketVector.all {
            let packet = try LegacyInitPacket(parsing: vector.bytes)
            let hasDigest = [LegacyGeneration.hash, .signedHash].contains(vector.generation)
            #expect(LegacyQuirks.hashing.mayPass(packet) == hasDigest, "\(vector.generation)")
            #expect(
                LegacyQuirks.stock.mayPass(packet) == (vector.generation == .crc16), "\(vector.generation)")
        }
    }

    @Test func `include a count of only 16 bits before SDK 7`() {
        #expect(LegacyQuirks.beforeSDK7.agrees(0xFFFF_0010, with: 0x10010))
        #expect(!LegacyQuirks.beforeSDK7.agrees(0xFFFF_0010, with: 0x10011))
        #expect(!LegacyQuirks.stock.agrees(0x10, with: 0x10010))
    }
}

@Suite struct `A target of Legacy DFU` {
    @Test(
        arguments: [
            ([1, 0], 3, false), ([1, 0], 9, false), ([8, 0], 4, true), ([5, 0], 3, true), ([6, 0], 9, true),
            (nil, 2, true), (nil, 3, true), (nil, 4, false), (nil, 12, false), ([1], 3, true), ([], 9, true),
        ] as [([UInt8]?, Int, Bool)])
    func `is recognised by the version, and without one by the services`(
        _ version: [UInt8]?, _ services: Int, _ takesUpdates: Bool
    ) {
        let sign = TargetSignature.Sign(
            version: version,
            services: (0..<services).map { BluetoothUUID(UInt16(0x1800 + $0)) })
        #expect((LegacyService.targetSignature.receiver(sign) != nil) == takesUpdates)
    }

    /// InfiniTime reports the handle of the attribute instead of its version.
    @Test(
        arguments: [
            ([8, 0], Receiver.either), ([5, 0], .either), ([0x1E, 0], .application), ([8, 1], .application),
            ([4, 0], .application),
        ] as [([UInt8], Receiver)])
    func `is an application's if it has Device Information and a version that no bootloader has`(
        _ version: [UInt8], _ receiver: Receiver
    ) {
        let sign = TargetSignature.Sign(
            version: version,
            services: [0x1800, 0x1801, 0x180A].map { BluetoothUUID($0) } + [LegacyService.uuid])
        #expect(LegacyService.targetSignature.receiver(sign) == receiver)
    }

    @Test(
        arguments: [
            ([0x1800, 0x1801], Receiver.bootloader), ([], .bootloader), ([0x1801, 0x180A], .either),
            ([0x1800, 0x1801, 0x180A, 0x180F], .application), ([0x1805], .application),
        ] as [([UInt16], Receiver)])
    func `is an application's if there are more services than a bootloader needs`(
        _ others: [UInt16], _ receiver: Receiver
    ) {
        let services = others.map { BluetoothUUID($0) }
        for version: [UInt8] in [[8, 0], [5, 0]] {
            let sign = TargetSignature.Sign(version: version, services: services + [LegacyService.uuid])
            #expect(LegacyService.targetSignature.receiver(sign) == receiver)
        }
        let secure = TargetSignature(SecureService.controlPoint)
        #expect(
            secure.receiver(TargetSignature.Sign(version: nil, services: services + [SecureService.uuid]))
                == receiver)
    }

    @Test(
        arguments: [
            ([8, 0], [0x1800, 0x1801], true), ([8, 0], [0x1800, 0x1801, 0x180A], true),
            ([5, 0], [0x1800, 0x1801], true), (nil, [0x1800, 0x1801], false),
            ([8, 0], [0x1800, 0x1801, 0x180A, 0x180F], false), ([1, 0], [0x1800, 0x1801], false),
        ] as [([UInt8]?, [UInt16], Bool)])
    func `is a bootloader's above its application if it has a version and no application's services`(
        _ version: [UInt8]?, _ others: [UInt16], _ isAbove: Bool
    ) {
        let sign = TargetSignature.Sign(
            version: version, services: others.map { BluetoothUUID($0) } + [LegacyService.uuid])
        #expect(LegacyService.targetSignature.isAboveApplication(sign) == isAbove)
    }
}
