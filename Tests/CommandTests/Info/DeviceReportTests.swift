import Bytes
import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import Bluetooth
@testable import CommandKit
@testable import RadioCommands

/// An inventory of services with characteristics and their values; nil for those that were not read.
private func made(_ services: [(BluetoothUUID, [(BluetoothUUID, [UInt8]?)])]) -> DeviceInventory {
    var inventory = DeviceInventory()
    for (service, characteristics) in services {
        var entry = DeviceInventory.ServiceEntry(
            declaration: ServiceDeclaration(uuid: service, handles: 1...9))
        entry.characteristics = characteristics.map { uuid, value in
            DeviceInventory.CharacteristicEntry(
                declaration: CharacteristicDeclaration(
                    characteristic: Characteristic(service, uuid), properties: .read, valueHandle: 3,
                    endHandle: 3),
                reading: value.map { .value($0) } ?? .unread("no"))
        }
        inventory.services.append(entry)
    }
    return inventory
}

private func nordic(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: number << 32 | 0xF315_4F60, low: 0x9FB8_8388_30DA_EA50)
}

private func legacy(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
}

/// The services of a device, and the update services that result.
struct UpdateServiceVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let inventory: DeviceInventory
    let kinds: [String]
    let mode: RunningProgram?

    private static func one(
        _ name: String, _ service: BluetoothUUID, _ characteristics: [(BluetoothUUID, [UInt8]?)],
        _ kinds: [String], _ mode: RunningProgram?
    ) -> UpdateServiceVector {
        UpdateServiceVector(
            testDescription: name, inventory: made([(service, characteristics)]), kinds: kinds, mode: mode)
    }

    private static let secure = BluetoothUUID(0xFE59)
    private static let revision = legacy(0x1534)
    private static let old: [(BluetoothUUID, [UInt8]?)] = [(legacy(0x1531), nil), (legacy(0x1532), nil)]
    static let all = [
        one(
            "Secure DFU", secure, [(nordic(0x8EC9_0001), nil), (nordic(0x8EC9_0002), nil)],
            ["nordic-secure"], .bootloader),
        one("half of Secure DFU", secure, [(nordic(0x8EC9_0001), nil)], [], nil),
        one(
            "Secure DFU's characteristics elsewhere", BluetoothUUID(0xFE58),
            [(nordic(0x8EC9_0001), nil), (nordic(0x8EC9_0002), nil)], [], nil),
        one("buttonless", secure, [(nordic(0x8EC9_0003), nil)], ["nordic-buttonless"], .application),
        one("buttonless, bonded", secure, [(nordic(0x8EC9_0004), nil)], ["nordic-buttonless"], .application),
        one(
            "buttonless of SDK 12", nordic(0x8E40_0001), [(nordic(0x8E40_0001), nil)],
            ["nordic-buttonless"], .application),
        one("Legacy before SDK 7", legacy(0x1530), old, ["nordic-legacy"], .bootloader),
        one("Legacy", legacy(0x1530), old + [(revision, [8, 0])], ["nordic-legacy"], .bootloader),
        one(
            "Legacy in the application", legacy(0x1530), old + [(revision, [1, 0])], ["nordic-legacy"],
            .application),
        one("Legacy, unread", legacy(0x1530), old + [(revision, nil)], ["nordic-legacy"], nil),
        one("SUOTA", BluetoothUUID(0xFEF5), [], ["suota"], .application),
        one(
            "MCUmgr", BluetoothUUID(high: 0x8D53_DC1D_1DB7_4CD3, low: 0x868B_8A52_7460_AA84), [], ["smp"],
            .application),
        one("none", BluetoothUUID(0x180F), [], [], nil),
    ]
}

@Suite struct `A report on a device` {
    static func report(_ inventory: DeviceInventory) throws -> DeviceReport {
        DeviceReport(
            sighting: try sighting("0409414243"), mtu: 247,
            link: LinkParameters(interval: .milliseconds(15), phy: .le2M), inventory: inventory)
    }

    @Test(arguments: UpdateServiceVector.all)
    func `names update services and the running program`(_ vector: UpdateServiceVector) throws {
        let report = try Self.report(vector.inventory)
        #expect(report.updates.map(\.kind.rawValue) == vector.kinds)
        #expect(report.updates.first?.program == vector.mode)
        #expect(report.mode == vector.mode ?? .application)
    }

    static let device = made([
        (
            BluetoothUUID(0x1800),
            [(BluetoothUUID(0x2A00), Array("Lamp\0\0".utf8)), (BluetoothUUID(0x2A01), [0x40, 0x02])]
        ),
        (
            BluetoothUUID(0x180A),
            [
                (BluetoothUUID(0x2A29), Array("Maker".utf8)), (BluetoothUUID(0x2A26), nil),
                (BluetoothUUID(0x2A50), [2, 0x8A, 0x24, 0x02, 0x01, 0x10, 0x01]),
                (BluetoothUUID(0x2A23), [1, 2, 3, 0xFE, 0xFF, 4, 5, 6]),
            ]
        ),
        (BluetoothUUID(0x180F), [(BluetoothUUID(0x2A19), [93])]),
        (BluetoothUUID(0xAA00), [(BluetoothUUID(0xAA01), [UInt8](repeating: 0xAB, count: 300))]),
    ])

    @Test func `explains the values to people`() throws {
        let lines = try Self.report(Self.device).lines
        for line in [
            "F0:0D:00:00:00:01: MTU 247, interval 15.0 ms, 2M PHY, -50 dBm", "  name          Lamp",
            "  appearance    0x0240", "  battery       93 %", "  manufacturer  Maker",
            "  system id     010203feff040506",
            "  pnp id        USB vendor 248a, product 0102, version 0110", "      not read: no",
            "  180F Battery", "    2A19 Battery Level (read): see above", "  AA00", "    AA01 (read)",
            "      " + String(repeating: "ab", count: 24) + "… (300 bytes)",
            "  update        no update service that this program supports",
        ] {
            #expect(lines.contains(line), "\(line) is not in\n\(lines.joined(separator: "\n"))")
        }
    }

    @Test func `says what attributes and a session agree on once, and both where they differ`() throws {
        var report = try Self.report(
            made([
                (BluetoothUUID(0x1800), [(BluetoothUUID(0x2A00), Array("Lamp".utf8))]),
                (
                    BluetoothUUID(0x180A),
                    [
                        (BluetoothUUID(0x2A24), Array("KBPro".utf8)),
                        (BluetoothUUID(0x2A26), Array("V1".utf8)), (BluetoothUUID(0x2A27), nil),
                    ]
                ),
            ]))
        report.session = .success(
            SessionReading(
                "kbeacon",
                rows: [
                    ("session", "KBeacon"), ("name", "Vase"), ("model", "KBPro"), ("firmware", "1"),
                    ("hardware", "3.0"),
                ]))
        let lines = report.lines
        for (start, line) in [
            ("  name ", "  name          Lamp; in the session Vase"), ("  model ", "  model         KBPro"),
            ("  firmware ", "  firmware      V1"), ("  hardware ", "  hardware      3.0"),
        ] {
            #expect(lines.filter { $0.hasPrefix(start) } == [line])
        }
        #expect(lines.count { $0.contains("Lamp") } == 1 && lines.count { $0.contains("KBPro") } == 1)
    }

    @Test func `has no row for an empty text`() throws {
        let lines = try Self.report(made([(BluetoothUUID(0x1800), [(BluetoothUUID(0x2A00), [0])])])).lines
        #expect(!lines.contains { $0.hasPrefix("  name") } && lines.contains("      \"\""))
    }

    @Test func `has the members that scripts rely on`() throws {
        let members = try Self.report(Self.device).line.members
        #expect(
            Set(members.keys) == [
                "address", "address_type", "advertised_name", "advertising", "appearance", "battery",
                "device_information", "incomplete", "interval_ms", "mode", "mtu", "name", "not_public", "phy",
                "rssi", "services", "session", "update_services", "vendor_only",
            ])
        #expect(members["battery"] == .integer(93) && members["phy"] == .text("2M"))
        guard case .object(let information) = members["device_information"] else {
            Issue.record("no device information")
            return
        }
        #expect(information["manufacturer"] == .text("Maker") && information["firmware"] == .null)
        #expect(
            information["pnp_id"]
                == .object([
                    "source": .integer(2), "vendor": .integer(0x248A), "product": .integer(0x0102),
                    "version": .integer(0x0110),
                ]))
    }

    @Test(arguments: [[], [1, 2], [101], [255]] as [[UInt8]])
    func `treats a meaningless value as absent`(_ value: [UInt8]) throws {
        let odd = made([
            (BluetoothUUID(0x180F), [(BluetoothUUID(0x2A19), value)]),
            (BluetoothUUID(0x1800), [(BluetoothUUID(0x2A01), value + [0])]),
            (BluetoothUUID(0x180A), [(BluetoothUUID(0x2A50), value)]),
        ])
        let report = try Self.report(odd)
        #expect(report.battery == nil && report.identity == nil)
        #expect(report.appearance == (value.count == 1 ? UInt16(value[0]) : nil))
        #expect(!report.lines.isEmpty)
    }
}
