/// The part of an application that gives way to the bootloader, as a value (nordic-buttonless.md,
/// Conversation; nRF5 SDK 17.1, `ble_dfu_unbonded.c`).
///
/// An indication is answered by the client before the next may be sent. The reset waits for the answer to
/// the one that says "entering"; SDK 12 notifies and resets by itself.
struct ButtonlessApplication: Sendable {
    /// What it does to the world.
    enum Reaction: Hashable, Sendable {
        /// Sends this value, as indication or notification.
        case tell([UInt8], at: Duration)
        /// Writes the bootloader's name to flash.
        case storeName([UInt8])
        /// Resets into the bootloader.
        case enterBootloader(at: Duration)
        /// Resets, and comes back as application.
        case crash
    }

    /// Erase and write of the settings page after a name.
    static let nameTime = Duration.milliseconds(90)
    /// From the confirmation to the reset.
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

    /// A request was written, by a central that the application has a bond with or not.
    mutating func request(_ value: [UInt8], isBonded: Bool = false, at now: Duration) -> [Reaction] {
        guard let opcode = value.first else { return [] }
        guard !isNaming, !isEntering else { return [.tell([0x20, opcode, 0x06], at: now)] }
        switch opcode {
        case 0x01 where kind == .bonded && !isBonded: return [.tell([0x20, opcode, 0x07], at: now)]
        case 0x01 where value.count == 1:
            isEntering = true
            let answer = Reaction.tell([0x20, 0x01, 0x01], at: now)
            return kind == .experimental
                ? [answer, .enterBootloader(at: now + Self.resetTime)] : [answer]
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

    /// The client has confirmed an indication.
    mutating func confirmed(at now: Duration) -> [Reaction] {
        isNaming = false
        return isEntering ? [.enterBootloader(at: now + Self.resetTime)] : []
    }

    /// A link that ends takes nothing back but what had not been confirmed.
    mutating func disconnected() { self = ButtonlessApplication(kind, crashesOnName: crashesOnName) }
}
