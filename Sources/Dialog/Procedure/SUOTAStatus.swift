import Bytes

/// A status that a device notifies, or that is read (dialog-suota.md, Codes).
struct SUOTAStatus: Hashable, Sendable, CustomStringConvertible {
    let code: UInt8

    var description: String { "0x" + HexText.digits(code, uppercase: true) }

    /// No status since the link was established.
    static let none = SUOTAStatus(code: 0x00)
    /// A block was accepted, or the whole image verified, depending on the state.
    static let good = SUOTAStatus(code: 0x02)
    static let serviceLeft = SUOTAStatus(code: 0x03)
    static let started = SUOTAStatus(code: 0x10)

    /// The possible refusals of the start command: service left, memory type, bank.
    static let refusalsOfStart = [serviceLeft, SUOTAStatus(code: 0x08), SUOTAStatus(code: 0x11)]

    /// False for no status, the two statuses of a successful run, and the modes of DA1468x with HomeKit.
    var isRefusal: Bool { ![Self.none, .good, .started].contains(self) && !isMode }

    private var isMode: Bool { (0x18...0x1B).contains(code) }

    /// Whether this refusal of a first block comes before any erase of the bank (dialog-suota.md, Receivers 58x).
    var precedesErase: Bool { [0x03, 0x05, 0x07, 0x08, 0x12, 0x13, 0x14, 0x15, 0x16].contains(code) }

    /// Whether another attempt from byte 0 may succeed, because the conversation failed.
    var isWorthRepeating: Bool { [0x03, 0x04, 0x05].contains(code) }
}

extension SUOTAStatus {
    init?(_ bytes: [UInt8]) {
        guard let code = bytes.first else { return nil }
        self.init(code: code)
    }
}
