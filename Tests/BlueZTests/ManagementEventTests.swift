import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `A management event` {
    static func read(_ bytes: [UInt8]) throws -> ManagementMessage {
        var reader = ByteReader(bytes)
        return try ManagementMessage(parsing: &reader)
    }

    static let samples = [
        "0100 FFFF 0700 0300 00 0100 0000", "0200 0000 0300 2300 14", "0400 0100 0000", "0500 0100 0000",
        "0600 0000 0400 01020000", "0B00 0000 0D00 01000000 0DF0 02 00000000 0000",
        "0C00 0000 0800 01000000 0DF0 02 01", "0D00 0000 0800 665544332211 01 04",
        "1200 0000 1500 01000000 0DF0 02 C4 04000000 0700 020106 03FF5900", "1300 0000 0200 06 01",
        "0F00 0000 0C00 01000000 0DF0 02 01 00000000", "1000 0000 0700 01000000 0DF0 02",
        "1100 0000 0800 01000000 0DF0 02 05", "2000 0000 0100 00",
    ]

    @Test func `has the sender, its signal and its data`() throws {
        let message = try Self.read([UInt8](hex: Self.samples[8]))
        #expect(message.index == 0)
        #expect(
            message.event
                == .deviceFound(
                    Advertisement(
                        address: try address("F0:0D:00:00:00:01"), rssi: -60, isConnectable: false,
                        data: AdvertisingData([UInt8](hex: "020106 03FF5900")))))
    }

    @Test func `distinguishes connectable devices, public addresses and an unknown signal strength`() throws {
        let hex = "1200 0100 0E00 665544332211 01 7F DBFFFFFF 0000"
        let message = try Self.read([UInt8](hex: hex))
        #expect(message.index == 1)
        #expect(
            message.event
                == .deviceFound(
                    Advertisement(
                        address: try address("11:22:33:44:55:66", .public), rssi: nil, isConnectable: true,
                        data: AdvertisingData())))
    }

    /// Among many beacons the kernel passes on a scan response separately; whether its sender is connectable is in the
    /// advertisement.
    @Test(arguments: ["20000000", "24000000"])
    func `of a separate scan response does not state whether the device is connectable`(
        _ flags: String
    ) throws {
        let hex = "1200 0000 0E00 010000000DF0 02 C4 \(flags) 0000"
        guard case .deviceFound(let report) = try Self.read([UInt8](hex: hex)).event else {
            Issue.record("no advert was received")
            return
        }
        #expect(report.isConnectable == nil)
    }

    @Test(
        arguments: [
            ("0B00 0000 0D00 665544332211 00 00000000 0000", 0x0B),
            ("0C00 0000 0800 665544332211 00 01", 0x0C),
            ("1200 0000 0E00 665544332211 00 7F 00000000 0000", 0x12),
            ("1200 0000 0E00 665544332211 03 7F 00000000 0000", 0x12),
        ] as [(String, UInt16)])
    func `of a BR/EDR device is ignored`(_ hex: String, _ code: UInt16) throws {
        #expect(try Self.read([UInt8](hex: hex)).event == .other(code: code))
    }

    @Test func `reports what a pairing waits for, and that it has failed`() throws {
        let peer = try address("F0:0D:00:00:00:01")
        func event(_ hex: String) throws -> ManagementEvent { try Self.read([UInt8](hex: hex)).event }
        #expect(
            try event("0F00 0000 0C00 01000000 0DF0 02 01 00000000")
                == .confirmationRequest(peer, showsNumber: false))
        #expect(
            try event("0F00 0000 0C00 01000000 0DF0 02 00 40E20100")
                == .confirmationRequest(peer, showsNumber: true))
        #expect(try event("1000 0000 0700 01000000 0DF0 02") == .passkeyRequest(peer))
        #expect(
            try event("1100 0000 0800 01000000 0DF0 02 05")
                == .authenticationFailed(peer, ManagementStatus(rawValue: 5)))
        #expect(try event("0F00 0000 0C00 01000000 0DF0 00 01 00000000") == .other(code: 0x0F))
    }

    @Test func `reports links that are made or end`() throws {
        let random = try address("F0:0D:00:00:00:01")
        #expect(try Self.read([UInt8](hex: Self.samples[5])).event == .deviceConnected(random))
        let ended = try Self.read([UInt8](hex: Self.samples[6])).event
        #expect(ended == .deviceDisconnected(random, DisconnectReason(rawValue: 1)))
    }

    @Test(
        arguments: [
            ("0400 0100 0000", 1, .indexAdded), ("0500 0001 0000", 256, .indexRemoved),
            ("0600 0000 0400 01020000", 0, .newSettings([.powered, .lowEnergy])),
            ("1300 0000 0200 06 01", 0, .discovering(true)), ("1300 0000 0200 06 00", 0, .discovering(false)),
            ("0D00 0000 0800 665544332211 01 04", 0, .other(code: 0x0D)),
            ("2000 0000 0100 00", 0, .other(code: 0x20)),
            (
                "0100 FFFF 0700 0300 00 0100 0000", 0xFFFF,
                .commandComplete(opcode: 3, .success, [1, 0, 0, 0])
            ),
            ("0200 0000 0300 2300 14", 0, .commandComplete(opcode: 0x23, .permissionDenied, [])),
        ] as [(String, UInt16, ManagementEvent)])
    func `reports controllers and commands`(
        _ hex: String, _ index: UInt16, _ event: ManagementEvent
    ) throws {
        let message = try Self.read([UInt8](hex: hex))
        #expect(message.index == index)
        #expect(message.event == event)
    }

    @Test(arguments: samples) func `cut short is refused`(_ hex: String) throws {
        let bytes = [UInt8](hex: hex)
        _ = try Self.read(bytes)
        for prefix in Corruption.prefixes(of: bytes) {
            #expect(throws: ByteError.self) { try Self.read(prefix) }
        }
    }

    /// It may mean something else, but must not trap.
    @Test(arguments: samples) func `with a flipped byte is read or refused`(_ hex: String) {
        for (_, bytes) in Corruption.flips(of: [UInt8](hex: hex)) {
            do { _ = try Self.read(bytes) } catch { #expect(error is ByteError) }
        }
    }

    @Test(
        arguments: [
            (0, "unspecified"), (1, "connection timeout"), (2, "ended by this host"),
            (3, "ended by the beacon"),
            (4, "authentication failure"), (5, "ended by this host before sleep"), (6, "reason 6"),
            (255, "reason 255"),
        ] as [(UInt8, String)])
    func `names the reason why a link ended`(_ code: UInt8, _ name: String) {
        #expect(DisconnectReason(rawValue: code).description == name)
    }
}

@Suite struct `A controller's information` {
    static func read(_ bytes: [UInt8]) throws -> ControllerInformation {
        var reader = ByteReader(bytes)
        return try ControllerInformation(parsing: &reader)
    }

    @Test func `has address, settings and name`() throws {
        let information = try Self.read(Packet.information(supported: 0x0001_FEFF))
        #expect(information.address == (try address("11:22:33:44:55:66", .public)))
        #expect(information.supported.rawValue == 0x0001_FEFF)
        #expect(information.supported.contains([.phyConfiguration, .lowEnergy, .classic, .powered]))
        #expect(information.current == [.powered, .lowEnergy])
        #expect(information.name == "bench")
    }

    @Test func `is refused when cut short, and never traps when damaged`() throws {
        let bytes = Array(Packet.information().prefix(269))
        for prefix in Corruption.prefixes(of: bytes) {
            #expect(throws: ByteError.self) { try Self.read(prefix) }
        }
        for (_, damaged) in Corruption.flips(of: bytes) { _ = try Self.read(damaged) }
    }
}

@Suite struct `A controller's choice of PHYs` {
    static func read(_ bytes: [UInt8]) throws -> PHYConfiguration {
        var reader = ByteReader(bytes)
        return try PHYConfiguration(parsing: &reader)
    }

    @Test(
        arguments: [
            ("FF7F0000 007E0000 FF060000", 0x1EFF, 0x7EFF), ("FF070000 00060000 FF060000", 0x06FF, 0x06FF),
            ("00660000 00660000 00060000", 0x0600, 0x6600), ("00000000 00000000 00000000", 0, 0),
            ("FF7F0000 007E0000 FF660000", 0x7EFF, 0x7EFF),
        ] as [(String, UInt32, UInt32)])
    func `adds LE 1M and 2M, and on request LE Coded, where they are supported`(
        _ hex: String, _ fast: UInt32, _ coded: UInt32
    ) throws {
        let configuration = try Self.read([UInt8](hex: hex))
        #expect(configuration.withFast(coded: false).rawValue == fast)
        #expect(configuration.withFast(coded: true).rawValue == coded)
    }

    @Test func `cut short is refused`() {
        for prefix in Corruption.prefixes(of: [UInt8](hex: "FF7F0000 007E0000 FF060000")) {
            #expect(throws: ByteError.self) { try Self.read(prefix) }
        }
    }
}

@Suite struct `A management status` {
    @Test(
        arguments: [
            (0x00, "success"), (0x02, "not connected"), (0x0A, "busy"), (0x0F, "not powered"),
            (0x11, "invalid index"), (0x12, "rfkilled"), (0x14, "permission denied"), (0x15, "status 0x15"),
            (0xFF, "status 0xff"),
        ] as [(UInt8, String)])
    func `has the name that the management interface gives it`(_ code: UInt8, _ name: String) {
        #expect(ManagementStatus(rawValue: code).description == name)
    }
}
