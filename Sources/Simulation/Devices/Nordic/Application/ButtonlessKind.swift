package import Bluetooth

/// The ways in which an application can enter its bootloader (nordic-buttonless.md, Layout).
public enum ButtonlessKind: String, Hashable, Sendable, CaseIterable {
    case none
    /// SDK 14 and later: indications, and a name for the bootloader.
    case named = "sdk-14"
    /// SDK 13: indications, no name.
    case nameless = "sdk-13"
    /// SDK 14 and later, for centrals with a bond: indications on an encrypted link, no name.
    case bonded = "sdk-14-bonded"
    /// SDK 12: a separate service, with notifications.
    case experimental = "sdk-12"

    var characteristic: BluetoothUUID? {
        switch self {
        case .none: nil
        case .named, .nameless: AttributeTable.buttonless
        case .bonded: AttributeTable.bondedButtonless
        case .experimental: AttributeTable.experimentalButtonless
        }
    }

    var service: AttributeTable.Service? {
        switch self {
        case .none: nil
        case .named, .nameless:
            AttributeTable.Service(
                AttributeTable.dfuService,
                [
                    AttributeTable.Entry(
                        AttributeTable.buttonless, [.write, .indicate], maximumLength: 23,
                        needsSubscription: true)
                ])
        case .bonded:
            AttributeTable.Service(
                AttributeTable.dfuService,
                [
                    AttributeTable.Entry(
                        AttributeTable.bondedButtonless, [.write, .indicate], maximumLength: 23,
                        needsSubscription: true, needsEncryption: true)
                ])
        case .experimental:
            AttributeTable.Service(
                AttributeTable.experimentalButtonless,
                [
                    AttributeTable.Entry(
                        AttributeTable.experimentalButtonless, [.write, .notify], maximumLength: 23,
                        needsSubscription: true)
                ])
        }
    }
}

extension AttributeTable {
    package static let buttonless = BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    package static let bondedButtonless = BluetoothUUID(
        high: 0x8EC9_0004_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    /// SDK 12: the UUID of both service and characteristic.
    package static let experimentalButtonless = BluetoothUUID(
        high: 0x8E40_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}

extension AttributeTable {
    /// The services of an application that accepts updates itself over `service`.
    static func receiver(
        name: String, revision: String?, _ receiver: ApplicationReceiver, _ service: Service
    ) -> AttributeTable {
        var services = [
            Service(BluetoothUUID(0x1800), [Entry(BluetoothUUID(0x2A00), .read, value: Array(name.utf8))]),
            Service(BluetoothUUID(0x1801), [Entry(BluetoothUUID(0x2A05), .indicate)]),
        ]
        if let revision {
            services.append(
                Service(
                    BluetoothUUID(0x180A),
                    [Entry(BluetoothUUID(0x2A26), .read, value: Array(revision.utf8))]))
        }
        if receiver.otherServices == .full {
            services.append(
                Service(BluetoothUUID(0x180F), [Entry(BluetoothUUID(0x2A19), [.read, .notify], value: [80])]))
        }
        return AttributeTable(services + [service])
    }

    /// Legacy DFU in an application. Its version is meant to be 0.8, but its host overwrites that with the attribute's
    /// handle.
    static func legacyReceiver(_ receiver: ApplicationReceiver) -> Service {
        let isForbidden = receiver.isSwitchedOff
        return Service(
            legacyService,
            [
                Entry(legacyPacket, .writeCommand, maximumLength: 253, isForbidden: isForbidden),
                Entry(legacyControlPoint, [.write, .notify], maximumLength: 253, isForbidden: isForbidden),
                Entry(legacyVersion, .read, value: [0x1E, 0x00], isForbidden: isForbidden),
            ])
    }

    static func secureReceiver(_ receiver: ApplicationReceiver) -> Service {
        let isForbidden = receiver.isSwitchedOff
        return Service(
            dfuService,
            [
                Entry(
                    controlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true,
                    isForbidden: isForbidden),
                Entry(packet, .writeCommand, maximumLength: 244, isForbidden: isForbidden),
            ])
    }
}

/// How an application receives updates itself, without a bootloader (nordic-legacy.md and nordic-secure.md,
/// Applications that take updates).
public struct ApplicationReceiver: Hashable, Sendable {
    /// The services of the application in addition to the update service.
    public enum OtherServices: String, Hashable, Sendable, CaseIterable {
        /// Device Information, Battery.
        case full
        /// Device Information.
        case information
    }

    /// The firmware revision of the new application; nil to derive it from the version, as for the old one.
    public var updatedRevision: String?
    /// The further services.
    public var otherServices = OtherServices.full
    /// Whether updates are switched off: every access is refused with 08.
    public var isSwitchedOff = false
    /// Legacy: whether the Write Response to Activate is sent before the restart.
    public var answersActivation = false
    /// Secure: whether every packet is answered with `60 03 01`.
    public var answersEveryPacket = false
    /// Secure: whether what was received survives the end of a link.
    public var keepsState = false

    /// A receiver like those in the field.
    public init() {}
}

/// How an application reports its version in the Device Information Service, as the Firmware Revision String 2A26.
public enum FirmwareRevision: Hashable, Sendable {
    /// The version number of its package.
    case number
    /// `major.minor.patch` of a number that nrfutil computed as major × 10000 + minor × 100 + patch.
    case dotted
    /// A fixed text, whatever runs.
    case text(String)
    /// No such service.
    case none

    func text(of version: UInt32) -> String? {
        switch self {
        case .number: String(version)
        case .dotted: "\(version / 10000).\(version / 100 % 100).\(version % 100)"
        case .text(let text): text
        case .none: nil
        }
    }
}
