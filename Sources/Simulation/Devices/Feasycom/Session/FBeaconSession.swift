struct FBeaconSession: Hashable, Sendable {
    var isOpen = false
    var isRestarting = false
    var isTrusted: Bool
    private var line: [UInt8] = []

    /// The maximum length of a command in bytes; our choice.
    private static let longest = 128
    static let opening = Array("$OpenFscAtEngine$".utf8)

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

/// The access control of a Feasycom beacon (fbeacon.md, PIN).
package struct FBeaconAccess: Hashable, Sendable {
    /// The PIN that must be sent first: four zeros on older units, six digits on newer ones; nil if none is needed.
    package var pin: String?
    package var endsLinkAfterWrongPIN = false
    package var isBusy = false
}
