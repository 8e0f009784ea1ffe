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

/// The part of an application that enters the bootloader, as a value (nordic-buttonless.md, Conversation; nRF5 SDK
/// 17.1, `ble_dfu_unbonded.c`).
///
/// The client must confirm an indication before the next may be sent. The reset waits for the confirmation of the
/// response to Enter Bootloader; SDK 12 sends a notification and resets without waiting.
struct ButtonlessApplication: Sendable {
    enum Reaction: Hashable, Sendable {
        /// Sends this value, as an indication or a notification.
        case notify([UInt8], at: Duration)
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
        guard !isNaming, !isEntering else { return [.notify([0x20, opcode, 0x06], at: now)] }
        switch opcode {
        case 0x01 where kind == .bonded && !isBonded: return [.notify([0x20, opcode, 0x07], at: now)]
        case 0x01 where value.count == 1:
            isEntering = true
            let answer = Reaction.notify([0x20, 0x01, 0x01], at: now)
            return kind == .experimental ? [answer, .enterBootloader(at: now + Self.resetTime)] : [answer]
        case 0x02 where kind == .named:
            let name = Array(value.dropFirst(2))
            if crashesOnName { return [.crash] }
            guard value.count > 2, Int(value[1]) == name.count, name.count <= Self.longestName else {
                return [.notify([0x20, 0x02, 0x05], at: now)]
            }
            isNaming = true
            return [.storeName(name), .notify([0x20, 0x02, 0x01], at: now + Self.nameTime)]
        default: return [.notify([0x20, opcode, 0x02], at: now)]
        }
    }

    mutating func confirmed(at now: Duration) -> [Reaction] {
        isNaming = false
        return isEntering ? [.enterBootloader(at: now + Self.resetTime)] : []
    }

    /// Ends a link, which cancels only a request whose response was not confirmed.
    mutating func disconnected() { self = ButtonlessApplication(kind, crashesOnName: crashesOnName) }
}

/// The part of an application that enters a Legacy bootloader, as a value (nordic-legacy.md, Conversation; nRF5 SDK 11,
/// `ble_dfu.c` and `dfu_app_handler.c`).
struct LegacyApplication: Sendable {
    static let controlPoint = AttributeTable.legacyControlPoint
    static let jumpTime = Duration.milliseconds(20)

    let personality: LegacyPersonality
    let answersEntry: Bool

    func answers(_ value: [UInt8]) -> Bool { answersEntry || !isEntry(value) }

    /// Processes a request. The jump follows at once, without a notification.
    func request(_ value: [UInt8], at now: Duration) -> [ButtonlessApplication.Reaction] {
        guard let opcode = value.first else { return [] }
        if isEntry(value) { return [.enterBootloader(at: now + (answersEntry ? Self.jumpTime : .zero))] }
        switch opcode {
        // The application refuses every request of the service as if it were Start.
        case 0x01: return [.notify([0x10, 0x01, LegacyStatus.operationFailed.rawValue], at: now)]
        case 0x02...0x08: return [.notify([0x10, 0x01, LegacyStatus.notSupported.rawValue], at: now)]
        default: return [.notify([0x10, opcode, LegacyStatus.notSupported.rawValue], at: now)]
        }
    }

    private func isEntry(_ value: [UInt8]) -> Bool {
        value.first == 0x01 && (value.count > 1 || personality.hasShortStart)
    }
}
