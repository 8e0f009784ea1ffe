package import Bluetooth
import Bytes

/// Secure DFU (nordic-secure.md, Layout; nordic-buttonless.md, Layout).
extension AttributeTable {
    package static let dfuService = BluetoothUUID(0xFE59)
    package static let controlPoint = dfu(1)
    package static let packet = dfu(2)
    package static let buttonless = dfu(3)
    package static let bondedButtonless = dfu(4)
    /// SDK 12: the UUID of both service and characteristic.
    package static let experimentalButtonless = BluetoothUUID(
        high: 0x8E40_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)

    private static func dfu(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x8EC9_0000_F315_4F60 + number << 32, low: 0x9FB8_8388_30DA_EA50)
    }

    /// With `answersCommands`, a Write Command to the Control Point has the effect of a request (SDK 12 to 14).
    package static func bootloader(
        name: String, maximumMTU: Int, answersCommands: Bool = false, needsEncryption: Bool = false
    ) -> AttributeTable {
        let entries = [
            Entry(
                controlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true,
                takesCommands: answersCommands, needsEncryption: needsEncryption),
            Entry(packet, .writeCommand, maximumLength: maximumMTU - 3, needsEncryption: needsEncryption),
        ]
        return AttributeTable([
            .genericAccess(name), needsEncryption ? .genericAttribute : nil, Service(dfuService, entries),
        ])
    }

    package static func application(
        name: String, revision: String?, hardware: String? = nil, battery: UInt8? = nil,
        buttonless: ButtonlessKind = .none
    ) -> AttributeTable {
        AttributeTable([
            .genericAccess(name), buttonless == .bonded ? .genericAttribute : nil,
            revision == nil && hardware == nil ? nil : .information([0x2A26: revision, 0x2A27: hardware]),
            battery.map { .readable(0x180F, [0x2A19: [$0]]) }, buttonless.service,
        ])
    }
}

/// Legacy DFU, in application and bootloader alike (nordic-legacy.md, Layout).
extension AttributeTable {
    package static let legacyService = legacy(0x1530)
    package static let legacyControlPoint = legacy(0x1531)
    package static let legacyPacket = legacy(0x1532)
    package static let legacyVersion = legacy(0x1534)

    private static func legacy(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }

    /// The attributes of a Legacy bootloader; the DFU service begins at handle 0x000C, as in the SDK.
    static func legacyBootloader(
        name: String, revision: String?, _ personality: LegacyPersonality
    ) -> AttributeTable {
        AttributeTable(
            legacyGenerics(name) + [
                legacyService(version: personality.version, personality),
                revision.map { .information([0x2A26: $0]) },
            ])
    }

    /// The services of an application that enters a Legacy bootloader with `personality`; nil if it cannot enter it.
    static func legacyApplication(
        name: String, version: UInt32, entering personality: LegacyPersonality?
    ) -> AttributeTable {
        let entry = personality.map { legacyService(version: $0.version == nil ? nil : 0x0001, $0) }
        return AttributeTable(legacyGenerics(name) + [.information([0x2A26: String(version)]), entry])
    }

    private static func legacyService(version: UInt16?, _ personality: LegacyPersonality) -> Service {
        let entries = [
            Entry(
                legacyPacket, personality.takesPacketRequests ? [.writeCommand, .write] : .writeCommand,
                maximumLength: personality.packetMaximum),
            Entry(legacyControlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true),
        ]
        let number = version.map { Entry(legacyVersion, .read, value: $0.bytes()) }
        return Service(legacyService, entries + [number].compactMap(\.self))
    }

    /// Generic Access and Generic Attribute of a SoftDevice; it prefers an interval of 15 to 30 ms, a timeout of 4 s.
    private static func legacyGenerics(_ name: String) -> [Service?] {
        let parameters: [UInt8] = [0x0C, 0x00, 0x18, 0x00, 0x00, 0x00, 0x90, 0x01]
        return [
            .readable(0x1800, [0x2A00: Array(name.utf8), 0x2A01: [0, 0], 0x2A04: parameters]),
            .genericAttribute,
        ]
    }
}

/// Applications that take updates (nordic-legacy.md and nordic-secure.md).
extension AttributeTable {
    static func receiver(
        _ receiver: ApplicationReceiver, _ dfu: NordicProtocol, name: String, revision: String?
    ) -> AttributeTable {
        let isForbidden = receiver.isSwitchedOff
        let isLegacy = dfu == .legacy
        var entries = [
            Entry(
                dfu.controlPoint, [.write, .notify], maximumLength: isLegacy ? 253 : 23,
                needsSubscription: !isLegacy, isForbidden: isForbidden),
            Entry(dfu.packet, .writeCommand, maximumLength: isLegacy ? 253 : 244, isForbidden: isForbidden),
        ]
        if isLegacy {
            entries.reverse()
            // The version should be 0.8, but the device's Bluetooth host overwrites it with the attribute's handle.
            entries.append(Entry(legacyVersion, .read, value: [0x1E, 0x00], isForbidden: isForbidden))
        }
        let battery = Service(
            BluetoothUUID(0x180F), [Entry(BluetoothUUID(0x2A19), [.read, .notify], value: [80])])
        return AttributeTable([
            .genericAccess(name), .genericAttribute, revision.map { .information([0x2A26: $0]) },
            receiver.otherServices == .full ? battery : nil, Service(dfu.service, entries),
        ])
    }
}
