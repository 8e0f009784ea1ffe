/// A command as its pieces come in: one at a time, each where the one before it ends (kbeacon.md, Acks).
struct KBeaconAssembly: Sendable {
    /// What comes of a piece.
    enum Outcome: Hashable, Sendable {
        /// The piece at this offset is next.
        case more(Int)
        /// It was not the one at this offset, which still is next.
        case wrong(Int)
        /// The command is whole.
        case complete([UInt8])
        /// It is longer than any command.
        case tooLong
    }

    /// The longest command, in bytes.
    static let limit = 4096

    private var content: KBeaconPiece.Content?
    private var bytes: [UInt8] = []

    /// Takes a piece; what does not begin where the others end is not taken, not even what is new of it.
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
