/// The part of an application that enters the bootloader, as a value (nordic-buttonless.md, Conversation; nRF5 SDK
/// 17.1, `ble_dfu_unbonded.c`).
///
/// The client must confirm an indication before the next may be sent. The reset waits for the confirmation of
/// "entering"; SDK 12 sends a notification and resets by itself.
struct ButtonlessApplication: Sendable {
    enum Reaction: Hashable, Sendable {
        /// Sends this value, as an indication or a notification.
        case tell([UInt8], at: Duration)
        case storeName([UInt8])
        case enterBootloader(at: Duration)
        case crash
    }

    /// The time to erase and write the settings page after a name.
    static let nameTime = Duration.milliseconds(90)
    static let resetTime = Duration.milliseconds(20)
    static let longestName = 20

    let kind: ButtonlessKind
    let crashesOnName: Bool
    private var isEntering = false
    private var isNaming = false

    init(_ kind: ButtonlessKind, crashesOnName: Bool = false) {
        self.kind = kind
        self.crashesOnName = crashesOnName
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

    /// The end of a link only cancels what was not confirmed.
    mutating func disconnected() { self = ButtonlessApplication(kind, crashesOnName: crashesOnName) }
}
