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
