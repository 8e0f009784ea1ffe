import Bytes

/// A piece of a command or of a report (kbeacon.md, Framing).
///
///     0  1  type of the whole << 4 | position of the piece
///     1  2  offset of the piece, big-endian
///     3  -  its bytes
struct KBeaconPiece: Hashable, Sendable {
    /// The position of a piece in the whole.
    enum Place: UInt8, Hashable, Sendable { case start, middle, end, single }

    /// The type of the whole.
    enum Content: UInt8, Hashable, Sendable {
        /// A command in binary, or its acknowledgement.
        case binary = 0
        /// A command in JSON, or its acknowledgement.
        case json = 2
        /// A report in JSON, or its acknowledgement.
        case jsonReport = 3
        /// A report in binary, or its acknowledgement.
        case binaryReport = 5

        /// The type of the reports that answer it.
        var report: Content { self == .binary ? .binaryReport : .jsonReport }
    }

    static let headerLength = 3

    let content: Content
    let place: Place
    let offset: Int
    let bytes: [UInt8]

    init(_ content: Content, _ place: Place, at offset: Int, _ bytes: [UInt8]) {
        self.content = content
        self.place = place
        self.offset = offset
        self.bytes = bytes
    }

    /// The piece in a write; nil without a valid header.
    init?(_ value: [UInt8]) {
        guard value.count >= Self.headerLength, let content = Content(rawValue: value[0] >> 4),
            let place = Place(rawValue: value[0] & 0x0F)
        else { return nil }
        self.init(
            content, place, at: Int(value[1]) << 8 | Int(value[2]), Array(value.dropFirst(Self.headerLength)))
    }

    /// The encoded piece; an offset wraps around after two bytes.
    var value: [UInt8] {
        [content.rawValue << 4 | place.rawValue] + [UInt8](UInt16(truncatingIfNeeded: offset)) + bytes
    }
}

/// Assembles a command from its pieces: one at a time, each starting where the previous one ends (kbeacon.md, Acks).
struct KBeaconAssembly: Sendable {
    /// The result of a piece.
    enum Outcome: Hashable, Sendable {
        /// The piece at this offset is expected next.
        case more(Int)
        /// It was not the expected piece, which is still the one at this offset.
        case wrong(Int)
        /// The command is complete.
        case complete([UInt8])
        /// The command exceeds the maximum length.
        case tooLong
    }

    /// The longest command, in bytes.
    static let limit = 4096

    private var content: KBeaconPiece.Content?
    private var bytes: [UInt8] = []

    /// Adds a piece; one that does not start where the others end is ignored as a whole.
    mutating func take(_ piece: KBeaconPiece) -> Outcome {
        if piece.place == .start || piece.place == .single {
            bytes = []
            content = piece.content
        }
        guard content == piece.content, piece.offset == bytes.count else {
            return .wrong(content == piece.content ? bytes.count : 0)
        }
        guard bytes.count + piece.bytes.count <= Self.limit else {
            self = KBeaconAssembly()
            return .tooLong
        }
        bytes += piece.bytes
        guard piece.place == .end || piece.place == .single else { return .more(bytes.count) }
        defer { self = KBeaconAssembly() }
        return .complete(bytes)
    }
}

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
