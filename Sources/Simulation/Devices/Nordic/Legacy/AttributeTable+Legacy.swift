package import Bluetooth
import Bytes

extension AttributeTable {
    /// The Legacy DFU service (nordic-legacy.md, Layout).
    package static let legacyService = legacy(0x1530)
    /// The Control Point of Legacy DFU, in application and bootloader alike.
    package static let legacyControlPoint = legacy(0x1531)
    package static let legacyPacket = legacy(0x1532)
    package static let legacyVersion = legacy(0x1534)

    private static func legacy(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }

    /// The services of a Legacy bootloader; the DFU service begins at handle 000C, as in the SDK.
    static func legacyBootloader(
        name: String, revision: String?, _ personality: LegacyPersonality
    ) -> AttributeTable {
        let information = revision.map {
            Service(BluetoothUUID(0x180A), [Entry(BluetoothUUID(0x2A26), .read, value: Array($0.utf8))])
        }
        return AttributeTable(
            legacyGenerics(name) + [legacyService(version: personality.version, personality)]
                + [information].compactMap(\.self))
    }

    /// The services of an application with a Legacy bootloader; without `revision` it cannot enter the bootloader.
    static func legacyApplication(
        name: String, version: UInt32, revision personality: LegacyPersonality?
    ) -> AttributeTable {
        let information = Service(
            BluetoothUUID(0x180A), [Entry(BluetoothUUID(0x2A26), .read, value: Array(String(version).utf8))])
        let entry = personality.map { legacyService(version: $0.version == nil ? nil : 0x0001, $0) }
        return AttributeTable(legacyGenerics(name) + [information] + [entry].compactMap(\.self))
    }

    private static func legacyService(version: UInt16?, _ personality: LegacyPersonality) -> Service {
        var entries = [
            Entry(
                legacyPacket, personality.takesPacketRequests ? [.writeCommand, .write] : .writeCommand,
                maximumLength: personality.packetMaximum),
            Entry(legacyControlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true),
        ]
        if let version {
            var writer = ByteWriter()
            writer.integer(version)
            entries.append(Entry(legacyVersion, .read, value: writer.bytes))
        }
        return Service(legacyService, entries)
    }

    /// Generic Access and Generic Attribute of a SoftDevice.
    private static func legacyGenerics(_ name: String) -> [Service] {
        [
            Service(
                BluetoothUUID(0x1800),
                [
                    Entry(BluetoothUUID(0x2A00), .read, value: Array(name.utf8)),
                    Entry(BluetoothUUID(0x2A01), .read, value: [0, 0]),
                    // 15 to 30 ms, 4 s.
                    Entry(
                        BluetoothUUID(0x2A04), .read,
                        value: [0x0C, 0x00, 0x18, 0x00, 0x00, 0x00, 0x90, 0x01]),
                ]),
            Service(BluetoothUUID(0x1801), [Entry(BluetoothUUID(0x2A05), .indicate)]),
        ]
    }
}
