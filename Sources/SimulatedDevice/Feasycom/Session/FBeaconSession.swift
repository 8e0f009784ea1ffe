/// What a Feasycom beacon knows of the central of one link.
struct FBeaconSession: Hashable, Sendable {
    /// Whether the AT engine listens.
    var isOpen = false
    /// Whether it starts again once it has answered.
    var restarts = false
    /// Whether nothing more is asked of who it is.
    var isTrusted: Bool
    /// The beginning of a command.
    private var line: [UInt8] = []

    /// Bytes that a command may have; our number.
    private static let longest = 128

    /// Nothing has been said yet.
    init(_ access: FBeaconAccess) { isTrusted = access.pin == nil }

    /// The next commands, without the CR and LF that end each, and whether one has grown too long without an end.
    mutating func commands(in bytes: [UInt8]) -> (lines: [[UInt8]], isEndless: Bool) {
        line += bytes
        var lines: [[UInt8]] = []
        while let end = line.indices.first(where: { line[$0...].starts(with: [0x0D, 0x0A]) }) {
            lines.append(Array(line[..<end]))
            line.removeFirst(end + 2)
        }
        guard line.count > Self.longest else { return (lines, false) }
        line = []
        return (lines, true)
    }
}
