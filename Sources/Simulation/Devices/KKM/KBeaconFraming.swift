import Bytes

/// A piece of a command or of a report (kbeacon.md, Framing).
///
///     0  1  type of the command or report << 4 | position of the piece
///     1  2  offset of the piece, big-endian
///     3  -  its bytes
struct KBeaconPiece: Hashable, Sendable {
    enum Place: UInt8, Hashable, Sendable { case start, middle, end, single }

    enum Content: UInt8, Hashable, Sendable {
        case binary = 0
        case json = 2
        case jsonReport = 3
        case binaryReport = 5

        /// The type of the reports that answer it.
        var report: Content { self == .binary ? .binaryReport : .jsonReport }
    }

    static let headerLength = 3

    let content: Content
    let place: Place
    let offset: Int
    let bytes: [UInt8]
}

extension KBeaconPiece {
    init?(_ value: [UInt8]) {
        guard value.count >= Self.headerLength, let content = Content(rawValue: value[0] >> 4),
            let place = Place(rawValue: value[0] & 0x0F)
        else { return nil }
        self.init(
            content: content, place: place, offset: Int(value[1]) << 8 | Int(value[2]),
            bytes: Array(value.dropFirst(Self.headerLength)))
    }

    /// The encoded piece; offsets wrap around at 65536.
    var value: [UInt8] {
        [content.rawValue << 4 | place.rawValue] + UInt16(truncatingIfNeeded: offset).bytes(.big) + bytes
    }
}

/// Assembles a command from its pieces: one at a time, each starting where the previous one ends (kbeacon.md, Acks).
struct KBeaconAssembly: Sendable {
    enum Outcome: Hashable, Sendable {
        /// The piece at this offset is expected next.
        case more(Int)
        /// The piece was not the expected one; the piece at this offset is still expected.
        case wrong(Int)
        case complete([UInt8])
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
    let content: KBeaconPiece.Content
    private let pieceSize: Int
    private let isEndless: Bool
    private let bytes: [UInt8]
    private(set) var sent: Int

    /// A response of which the client already has `sent` bytes.
    init(
        _ bytes: [UInt8], as content: KBeaconPiece.Content, sent: Int = 0, pieceSize: Int,
        isEndless: Bool = false
    ) {
        (self.bytes, self.content, self.sent) = (bytes, content, sent)
        self.pieceSize = max(1, pieceSize)
        self.isEndless = isEndless
    }

    /// Whether the last piece was sent. Its acknowledgement is optional.
    var isDone: Bool { !isEndless && sent >= bytes.count }

    mutating func next() -> [UInt8]? {
        guard !isDone else { return nil }
        let start = sent
        // An endless response continues with one constant byte.
        let rest = bytes.dropFirst(start)
        let piece = rest.isEmpty ? [UInt8](repeating: 0x78, count: pieceSize) : Array(rest.prefix(pieceSize))
        sent += piece.count
        let place: KBeaconPiece.Place = start == 0 ? (isDone ? .single : .start) : (isDone ? .end : .middle)
        return KBeaconPiece(content: content, place: place, offset: start, bytes: piece).value
    }

    /// Goes back to `offset`, if it was sent before; returns whether it was.
    mutating func goBack(to offset: Int) -> Bool {
        let back = (sent - offset) & 0xFFFF
        guard back <= sent else { return false }
        sent -= back
        return true
    }

    /// Whether a client that has `offset` bytes has everything that was sent; offsets wrap around at 65536.
    func hasAll(_ offset: Int) -> Bool { sent & 0xFFFF == offset }
}

/// An acknowledgement, in either direction (kbeacon.md, Acks).
///
///     0  1  type of the acknowledged command or report << 4 | 3
///     1  2  bytes received, which is the offset of the next piece, big-endian
///     3  2  window, big-endian
///     5  2  cause, big-endian
///     7  -  from a device: the response, or its first piece
struct KBeaconAcknowledgement: Hashable, Sendable {
    static let headerLength = 7

    let content: KBeaconPiece.Content
    let cause: KBeaconCause
    var offset = 0
    var window: UInt16 = 0
    var answer: [UInt8] = []
}

extension KBeaconAcknowledgement {
    init?(_ value: [UInt8]) {
        guard value.count == Self.headerLength, value[0] & 0x0F == 3,
            let content = KBeaconPiece.Content(rawValue: value[0] >> 4),
            content == .jsonReport || content == .binaryReport
        else { return nil }
        func word(_ place: Int) -> UInt16 { UInt16(value[place]) << 8 | UInt16(value[place + 1]) }
        self.init(
            content: content, cause: KBeaconCause(rawValue: word(5)), offset: Int(word(1)), window: word(3))
    }

    var value: [UInt8] {
        [content.rawValue << 4 | 3] + UInt16(truncatingIfNeeded: offset).bytes(.big) + window.bytes(.big)
            + cause.rawValue.bytes(.big) + answer
    }
}

/// Why an acknowledgement is sent, or a command refused (kbeacon.md, Acks, Refusals).
struct KBeaconCause: RawRepresentable, Error, Hashable, Sendable {
    let rawValue: UInt16

    static let done = KBeaconCause(rawValue: 0)
    /// From a client: a piece was not the expected one; the client wants those from the acknowledgement's offset on.
    static let wrongSequence = KBeaconCause(rawValue: 1)
    /// The piece at the acknowledgement's offset is expected next.
    static let more = KBeaconCause(rawValue: 4)
    static let received = KBeaconCause(rawValue: 5)
    /// The command is done, after reports. Only binary responses of the second generation end with it.
    static let complete = KBeaconCause(rawValue: 6)
    static let moreFrames = KBeaconCause(rawValue: 7)
    static let parameterInvalid = KBeaconCause(rawValue: 0x0103)
    static let featureMissing = KBeaconCause(rawValue: 0x0104)
    static let notUnderstood = KBeaconCause(rawValue: 0x0105)
    static let parameterMissing = KBeaconCause(rawValue: 0x0106)
    static let slotMissing = KBeaconCause(rawValue: 0x0108)
    static let slotInUse = KBeaconCause(rawValue: 0x0109)
    static let advertTwice = KBeaconCause(rawValue: 0x010A)
    static let triggerTwice = KBeaconCause(rawValue: 0x010B)
    static let busy = KBeaconCause(rawValue: 0x010C)
    static let triggerMissing = KBeaconCause(rawValue: 0x0117)
    static let sensorMissing = KBeaconCause(rawValue: 0x0118)
    static let messageUnknown = KBeaconCause(rawValue: 0x0119)
}
