import Bluetooth

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
