import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `An HCI event` {
    static func read(_ bytes: [UInt8]) throws -> HCIEvent {
        var reader = ByteReader(bytes)
        return try HCIEvent(parsing: &reader)
    }

    static let peer =
        DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0x04, 0x01] as [UInt8])
        ?? {
            preconditionFailure("six bytes are an address")
        }()

    static let vectors: [(String, HCIEvent)] = [
        ("04 0E 04 01 2220 01", .commandComplete(opcode: 0x2022, HCIStatus(rawValue: 1), [])),
        (
            "04 0E 08 01 3020 00 FE0E 02 01",
            .commandComplete(opcode: 0x2030, .success, [0xFE, 0x0E, 2, 1])
        ),
        ("04 0F 04 00 01 3220", .commandStatus(opcode: 0x2032, .success)),
        ("04 0F 04 0C 01 1320", .commandStatus(opcode: 0x2013, HCIStatus(rawValue: 0x0C))),
        ("04 05 04 00 FE0E 13", .disconnectionComplete(handle: 0xEFE, reason: HCIStatus(rawValue: 0x13))),
        (
            "04 3E 13 01 00 FE3E 00 01 0104ACBE0DF0 0C00 0000 5802 00",
            .connectionComplete(
                .success, handle: 0xEFE, peer, interval: .milliseconds(15), supervisionTimeout: .seconds(6))
        ),
        (
            "04 3E 1F 0A 00 FE0E 00 01 0104ACBE0DF0 000000000000 000000000000 1800 0000 5802 00",
            .connectionComplete(
                .success, handle: 0xEFE, peer, interval: .milliseconds(30), supervisionTimeout: .seconds(6))
        ),
        (
            "04 3E 0A 03 00 FE0E 0600 0000 5802",
            .connectionUpdate(
                .success, handle: 0xEFE, interval: .microseconds(7500), supervisionTimeout: .seconds(6))
        ),
        ("04 3E 0B 07 FE0E FB00 4808 1B00 4801", .dataLengthChange(handle: 0xEFE, sendOctets: 251)),
        ("04 3E 06 0C 00 FE0E 02 01", .phyUpdate(.success, handle: 0xEFE, sending: .le2M)),
        (
            "04 3E 06 0C 1A FE0E 07 01",
            .phyUpdate(HCIStatus(rawValue: 0x1A), handle: 0xEFE, sending: nil)
        ),
        ("04 13 05 01 FE0E 0100", .other(code: 0x13)),
        ("04 0E 03 01 0000", .other(code: 0x0E)),
        ("04 05 04 02 FE0E 13", .other(code: 0x05)),
        ("04 3E 02 02 00", .other(code: 0x3E)),
    ]

    @Test(arguments: vectors.indices) func `is read field by field`(_ number: Int) throws {
        let (hex, event) = Self.vectors[number]
        #expect(try Self.read([UInt8](hex: hex)) == event)
    }

    /// Address types 2 and 3 are identities that the controller has resolved.
    @Test(
        arguments: [(0, .public), (1, .random), (2, .public), (3, .random)] as [(UInt8, DeviceAddress.Kind)])
    func `has the kind of the peer's address`(_ type: UInt8, _ kind: DeviceAddress.Kind) throws {
        var bytes = [UInt8](hex: "04 3E 13 01 00 FE0E 00 01 0104ACBE0DF0 0C00 0000 5802 00")
        bytes[8] = type
        let peer = try #require(DeviceAddress(Self.peer.bytes, kind))
        #expect(
            try Self.read(bytes)
                == .connectionComplete(
                    .success, handle: 0xEFE, peer, interval: .milliseconds(15),
                    supervisionTimeout: .seconds(6)))
    }

    @Test(arguments: vectors.indices) func `cut short is refused`(_ number: Int) {
        for prefix in Corruption.prefixes(of: [UInt8](hex: Self.vectors[number].0)) {
            #expect(throws: ByteError.self) { try Self.read(prefix) }
        }
    }

    /// A later version of the specification may add fields.
    @Test(arguments: vectors.indices) func `is the same with more bytes after it`(_ number: Int) throws {
        let (hex, event) = Self.vectors[number]
        let bytes = [UInt8](hex: hex)
        #expect(try Self.read(bytes + [0xAA]) == event)
        if case .commandComplete = event { return }  // return parameters have no length of their own
        if number == 12 { return }
        var longer = bytes + [0xAA]
        longer[2] += 1
        #expect(try Self.read(longer) == event)
    }

    /// It may mean something else, but must not trap.
    @Test(arguments: vectors.indices) func `with a flipped byte is read or refused`(_ number: Int) {
        for (_, bytes) in Corruption.flips(of: [UInt8](hex: Self.vectors[number].0)) {
            do { _ = try Self.read(bytes) } catch { #expect(error is ByteError) }
        }
    }

    @Test func `is not read from another packet type`() {
        #expect(throws: ByteError.self) { try Self.read([UInt8](hex: "01 0F 04 00 01 3220")) }
    }
}

@Suite struct `An HCI status` {
    @Test(
        arguments: [
            (0x08, "connection timeout (0x08)"), (0x13, "remote user terminated (0x13)"),
            (0x3E, "failed to be established (0x3E)"), (0x1A, "unsupported remote feature (0x1A)"),
            (0x77, "error 0x77"),
        ] as [(UInt8, String)])
    func `has the name in the specification, and its code`(_ code: UInt8, _ name: String) {
        #expect(HCIStatus(rawValue: code).description == name)
    }
}

@Suite struct `An HCI command` {
    @Test(
        arguments: [
            (
                .connectionUpdate(
                    0x0EFE, LinkSteps(interval: .milliseconds(15), supervisionTimeout: .seconds(6))),
                "01 1320 0E FE0E 0C00 0C00 0000 5802 0000 0000"
            ),
            (.setDataLength(0x40), "01 2220 06 4000 FB00 4808"),
            (.readPHY(0x40), "01 3020 02 4000"),
            (.setPHY(0x40), "01 3220 07 4000 00 03 03 0000"),
            (.disconnect(0x40), "01 0604 03 4000 13"), (.refuseParameters(0x40), "01 2120 03 4000 3B"),
            (.supportLowEnergy, "01 6D0C 02 01 00"), (.readVersion, "01 0110 00"),
            (.setEventMask, "01 010C 08 1080 0000 0000 0020"),
            (.setScanParameters(ownType: 1), "01 0B20 07 01 6000 6000 01 00"),
            (
                .setExtendedScanParameters(ownType: 0, coded: true),
                "01 4120 0D 00 00 05 01 C000 6000 01 C000 6000"
            ),
        ] as [(HCICommand, String)])
    func `has the bytes of the specification`(_ command: HCICommand, _ hex: String) {
        #expect(command.packet == [UInt8](hex: hex))
    }
}
