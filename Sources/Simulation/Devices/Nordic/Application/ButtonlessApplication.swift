import Bluetooth

/// The ways in which an application can enter its bootloader (nordic-buttonless.md, Layout).
public enum ButtonlessKind: String, Hashable, Sendable, CaseIterable {
    case none
    /// SDK 14 and later: indications; takes a name for the bootloader.
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
    public var otherServices = OtherServices.full
    /// Whether updates are switched off: every access is refused with ATT error 0x08.
    public var isSwitchedOff = false
    /// Legacy: whether the Write Response to Activate is sent before the restart.
    public var answersActivation = false
    /// Secure: whether every packet is answered with `60 03 01`.
    public var answersEveryPacket = false
    /// Secure: whether the received data survive the end of a link.
    public var keepsState = false

    public init() {}
}

/// How an application reports its version in the Device Information Service, as the Firmware Revision String 2A26.
public enum FirmwareRevision: Hashable, Sendable {
    /// The version number in the application's package.
    case number
    /// `major.minor.patch` of a number that nrfutil computed as major × 10000 + minor × 100 + patch.
    case dotted
    /// A fixed text, whatever runs.
    case text(String)
    /// There is no Firmware Revision String.
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

/// The part of an application that enters the bootloader, as a value (nordic-buttonless.md, Conversation; nRF5 SDK
/// 17.1, `ble_dfu_unbonded.c`).
///
/// The client must confirm an indication before the next may be sent. The reset waits for the confirmation of the
/// response to Enter Bootloader; SDK 12 sends a notification and resets without waiting.
struct ButtonlessApplication: Sendable {
    enum Reaction: Hashable, Sendable {
        /// Sends this value, as an indication or a notification.
        case tell([UInt8], at: Duration)
        case storeName([UInt8])
        case enterBootloader(at: Duration)
        case crash
    }

    /// The time to erase and write the settings page that holds a name.
    static let nameTime = Duration.milliseconds(90)
    static let resetTime = Duration.milliseconds(20)
    static let longestName = 20

    let kind: ButtonlessKind
    let crashesOnName: Bool
    private var isEntering = false
    private var isNaming = false

    init(_ kind: ButtonlessKind, crashesOnName: Bool = false) {
        (self.kind, self.crashesOnName) = (kind, crashesOnName)
    }

    mutating func request(_ value: [UInt8], isBonded: Bool = false, at now: Duration) -> [Reaction] {
        guard let opcode = value.first else { return [] }
        guard !isNaming, !isEntering else { return [.tell([0x20, opcode, 0x06], at: now)] }
        switch opcode {
        case 0x01 where kind == .bonded && !isBonded: return [.tell([0x20, opcode, 0x07], at: now)]
        case 0x01 where value.count == 1:
            isEntering = true
            let answer = Reaction.tell([0x20, 0x01, 0x01], at: now)
            return kind == .experimental ? [answer, .enterBootloader(at: now + Self.resetTime)] : [answer]
        case 0x02 where kind == .named:
            let name = Array(value.dropFirst(2))
            if crashesOnName { return [.crash] }
            guard value.count > 2, Int(value[1]) == name.count, name.count <= Self.longestName else {
                return [.tell([0x20, 0x02, 0x05], at: now)]
            }
            isNaming = true
            return [.storeName(name), .tell([0x20, 0x02, 0x01], at: now + Self.nameTime)]
        default: return [.tell([0x20, opcode, 0x02], at: now)]
        }
    }

    mutating func confirmed(at now: Duration) -> [Reaction] {
        isNaming = false
        return isEntering ? [.enterBootloader(at: now + Self.resetTime)] : []
    }

    /// Ends a link, which cancels only a request whose response was not confirmed.
    mutating func disconnected() { self = ButtonlessApplication(kind, crashesOnName: crashesOnName) }
}
