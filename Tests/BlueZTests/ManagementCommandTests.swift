import Bluetooth
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `A management command` {
    @Test(
        arguments: [
            (.readIndexList, 0xFFFF, "0300 FFFF 0000"),
            (.readInformation, 0, "0400 0000 0000"),
            (.setPowered(true), 1, "0500 0100 0100 01"),
            (.setPowered(false), 1, "0500 0100 0100 00"),
            (.setLowEnergy(true), 0, "0D00 0000 0100 01"),
            (.setLowEnergy(false), 0, "0D00 0000 0100 00"),
            (.setClassic(false), 0, "2A00 0000 0100 00"),
            (.setStaticAddress(nil), 0, "2B00 0000 0600 000000000000"),
            (.removeAdvertising, 0, "3F00 0000 0100 01"),
            (.getConnections, 0, "1500 0000 0000"),
            (.startDiscovery, 2, "2300 0200 0100 06"),
            (.stopDiscovery, 0x0102, "2400 0201 0100 06"),
            (.getPHY, 0, "4400 0000 0000"),
            (.setPHY(PHYSelection(rawValue: 0x0001_0203)), 0, "4500 0000 0400 03020100"),
            (.loadConnectionParameters([]), 0, "3500 0000 0200 0000"),
        ] as [(ManagementCommand, UInt16, String)])
    func `has the bytes of the interface`(_ command: ManagementCommand, _ index: UInt16, _ hex: String) {
        #expect(command.packet(for: index) == [UInt8](hex: hex))
    }

    @Test func `has an address least significant byte first, then its type`() throws {
        let open = try address("11:22:33:44:55:66", .public)
        #expect(
            ManagementCommand.disconnect(open).packet(for: 0)
                == [UInt8](hex: "1400 0000 0700 665544332211 01"))
        let random = try address("F0:0D:00:00:00:01")
        #expect(
            ManagementCommand.disconnect(random).packet(for: 3)
                == [UInt8](hex: "1400 0300 0700 01000000 0DF0 02"))
    }

    @Test func `answers a pairing with the peer's address`() throws {
        let peer = try address("F0:0D:00:00:00:01")
        for (command, opcode) in [
            (ManagementCommand.confirmPairing(peer), "1C00"), (.declinePairing(peer), "1D00"),
            (.declinePasskey(peer), "1F00"),
        ] {
            #expect(command.packet(for: 0) == [UInt8](hex: opcode + " 0000 0700 01000000 0DF0 02"))
        }
    }

    @Test func `requests 15 ms and 6 s in the controller's units`() throws {
        let list = [
            (try address("F0:0D:00:00:00:01"), LinkSteps(LinkRequest())),
            (
                try address("11:22:33:44:55:66", .public),
                LinkSteps(interval: .microseconds(7500), supervisionTimeout: .seconds(4))
            ),
        ]
        #expect(
            ManagementCommand.loadConnectionParameters(list).packet(for: 0)
                == [UInt8](
                    hex: """
                        3500 0000 2000 0200
                        010000000DF0 02 0C00 0C00 0000 5802
                        665544332211 01 0600 0600 0000 9001
                        """))
    }

    @Test(
        arguments: [
            (.zero, .zero, "0600 0600 0000 0A00"),
            (.seconds(-1), .seconds(-1), "0600 0600 0000 0A00"),
            (.seconds(4), .seconds(32), "800C 800C 0000 800C"),
            (.seconds(5), .seconds(33), "800C 800C 0000 800C"),
            (.seconds(Int64.max), .seconds(Int64.max), "800C 800C 0000 800C"),
            (.seconds(Int64.min), .seconds(Int64.min), "0600 0600 0000 0A00"),
            (.microseconds(15_600), .milliseconds(126), "0C00 0C00 0000 0D00"),
        ] as [(Duration, Duration, String)])
    func `stays within the limits of a controller`(
        _ interval: Duration, _ timeout: Duration, _ hex: String
    ) throws {
        let steps = LinkSteps(interval: interval, supervisionTimeout: timeout)
        let list = [(try address("F0:0D:00:00:00:01"), steps)]
        let packet = ManagementCommand.loadConnectionParameters(list).packet(for: 0)
        #expect(Array(packet.suffix(8)) == [UInt8](hex: hex))
    }

    /// Vol 6, Part B, 4.5.2: more than two intervals, or else the kernel drops the whole entry.
    @Test func `never requests a supervision timeout shorter than two intervals`() throws {
        let steps = LinkSteps(interval: .seconds(4), supervisionTimeout: .milliseconds(100))
        let list = [(try address("F0:0D:00:00:00:01"), steps)]
        let packet = ManagementCommand.loadConnectionParameters(list).packet(for: 0)
        #expect(Array(packet.suffix(8)) == [UInt8](hex: "800C 800C 0000 2103"))
    }

    @Test func `has the right length, however long the list`() throws {
        let entry = (try address("F0:0D:00:00:00:01"), LinkSteps(LinkRequest()))
        let packet = ManagementCommand.loadConnectionParameters(Array(repeating: entry, count: 5000))
            .packet(for: 0)
        #expect(Request(packet)?.parameters.count == 2 + 15 * 4368)
        #expect(Array(packet[6..<8]) == Packet.word(4368))
    }
}
