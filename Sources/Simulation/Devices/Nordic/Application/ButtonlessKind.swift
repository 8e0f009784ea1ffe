import Bluetooth

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
        characteristic.map { uuid in
            AttributeTable.Service(
                self == .experimental ? uuid : AttributeTable.dfuService,
                [
                    AttributeTable.Entry(
                        uuid, [.write, self == .experimental ? .notify : .indicate], maximumLength: 23,
                        needsSubscription: true, needsEncryption: self == .bonded)
                ])
        }
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
