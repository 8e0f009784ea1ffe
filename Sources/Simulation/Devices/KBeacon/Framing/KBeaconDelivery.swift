/// A response that is being sent in pieces (kbeacon.md, Acks).
struct KBeaconDelivery: Sendable {
    /// The type of the pieces.
    let content: KBeaconPiece.Content
    private let pieceSize: Int
    private let isEndless: Bool
    private let bytes: [UInt8]
    /// The number of bytes sent.
    private(set) var sent: Int

    /// A response of which the client already has `sent` bytes.
    init(
        _ bytes: [UInt8], as content: KBeaconPiece.Content, sent: Int = 0, pieceSize: Int,
        isEndless: Bool = false
    ) {
        self.bytes = bytes
        self.content = content
        self.sent = sent
        self.pieceSize = max(1, pieceSize)
        self.isEndless = isEndless
    }

    /// Whether the last piece was sent. Its acknowledgement is optional.
    var isDone: Bool { !isEndless && sent >= bytes.count }

    /// The next piece; nil after the last.
    mutating func next() -> [UInt8]? {
        guard !isDone else { return nil }
        let start = sent
        // An endless response continues with one constant byte.
        let piece =
            start < bytes.count ? part(from: start) : [UInt8](repeating: 0x78, count: pieceSize)
        sent += piece.count
        let place: KBeaconPiece.Place =
            start == 0 ? (isDone ? .single : .start) : (isDone ? .end : .middle)
        return KBeaconPiece(content, place, at: start, piece).value
    }

    /// Goes back to `offset`, if it was sent before; returns whether it was.
    mutating func goBack(to offset: Int) -> Bool {
        let back = (sent - offset) & 0xFFFF
        guard back <= sent else { return false }
        sent -= back
        return true
    }

    /// Whether a client that has `offset` bytes has everything that was sent: offsets wrap around after two bytes.
    func hasAll(_ offset: Int) -> Bool { sent & 0xFFFF == offset }

    private func part(from start: Int) -> [UInt8] {
        Array(bytes[min(start, bytes.count)...].prefix(pieceSize))
    }
}
