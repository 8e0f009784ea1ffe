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
