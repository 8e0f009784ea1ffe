import ByteCoding

/// What a device says on STATUS (dialog-suota.md, Codes).
struct SUOTAStatus: Hashable, Sendable {
    let code: UInt8

    /// Nothing was said since the link stands.
    static let none = SUOTAStatus(code: 0x00)
    /// A block was taken, or the whole image verified: only the state tells which.
    static let good = SUOTAStatus(code: 0x02)
    /// The service was left.
    static let left = SUOTAStatus(code: 0x03)
    /// The device waits for an image.
    static let started = SUOTAStatus(code: 0x10)

    /// Refusals of a start, and no others (dialog-suota.md, Codes).
    static let answersToStart = [left, SUOTAStatus(code: 0x08), SUOTAStatus(code: 0x11)]

    init(code: UInt8) { self.code = code }

    /// A value by its first byte; nil when it has none.
    init?(_ bytes: [UInt8]) {
        guard let code = bytes.first else { return nil }
        self.init(code: code)
    }

    /// What is not a refusal: the two that belong to a good run, nothing at all, and the modes of DA1468x with
    /// HomeKit.
    var isHarmless: Bool { [Self.none, .good, .started].contains(self) || isMode }

    private var isMode: Bool { (0x18...0x1B).contains(code) }

    /// Whether a first block that is refused so was refused before anything of the bank was erased (dialog-suota.md,
    /// Receivers 58x).
    var isBeforeWriting: Bool { [0x03, 0x05, 0x07, 0x08, 0x12, 0x13, 0x14, 0x15, 0x16].contains(code) }

    /// Whether the same may go well in another attempt from byte 0: what went wrong was the conversation.
    var isWorthRepeating: Bool { [0x03, 0x04, 0x05].contains(code) }
}

extension SUOTAStatus: CustomStringConvertible {
    /// The code as the vendor's documents write it.
    var description: String { "0x" + HexText.digits(code, uppercase: true) }
}
