/// The state of one link to a Feasycom beacon.
struct FBeaconSession: Hashable, Sendable {
    /// Whether the AT engine is open.
    var isOpen = false
    /// Whether the beacon restarts after the response.
    var restarts = false
    /// Whether the central has passed the PIN check, or needs none.
    var isTrusted: Bool
    /// An incomplete command.
    private var line: [UInt8] = []

    /// The maximum length of a command in bytes; our choice.
    private static let longest = 128

    /// A new session.
    init(_ access: FBeaconAccess) { isTrusted = access.pin == nil }

    /// The complete commands, without CR and LF, and whether an unfinished one exceeds the maximum length.
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
