import Bytes

/// The answer to a command, received in one or several notifications, with or without line ends around its
/// parts (fbeacon.md, Commands).
struct ATAnswer: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        /// Success, with the requested value or lines; nil if the command requests none.
        case done(String?)
        case refused
    }

    /// The maximum number of buffered bytes.
    static let limit = 4096

    private(set) var bytes: [UInt8] = []
    private static let endings = [Array("OK".utf8), Array("ERROR".utf8)]

    /// Adds one notification; false if the answer is longer than any valid one.
    mutating func append(_ part: [UInt8]) -> Bool {
        guard bytes.count + part.count <= Self.limit else { return false }
        let text = Array(part.trimmed(of: Self.isLineEnd))
        // A notification that is only OK or ERROR is a line, unless it is the value after a `=`.
        let standsAlone = Self.endings.contains(text) && bytes.last != UInt8(ascii: "=")
        bytes += standsAlone ? [0x0D, 0x0A] + text + [0x0D, 0x0A] : part
        return true
    }

    /// The result of a command that expects an answer of the form `wanted`; nil while the answer is incomplete.
    func verdict(on wanted: FBeaconCommand.Answer) -> Verdict? {
        if wanted == .opening, text.contains("Opened") { return .done(nil) }
        let lines = bytes.split(whereSeparator: Self.isLineEnd).map { String(decoding: $0, as: UTF8.self) }
        if lines.contains("ERROR") || wanted == .opening && text.contains("ERROR") { return .refused }
        switch wanted {
        case .opening: return nil
        case .acknowledgement: return lines.contains("OK") ? .done(nil) : nil
        case .value(let prefixes):
            // Text before the line with the value, even an OK, is not part of the answer.
            guard let place = lines.firstIndex(where: { line in prefixes.contains { line.hasPrefix($0) } }),
                let prefix = prefixes.first(where: { lines[place].hasPrefix($0) }),
                lines[place...].dropFirst().contains("OK")
            else { return nil }
            return .done(String(lines[place].dropFirst(prefix.count)))
        case .lines(let prefix):
            guard let first = lines.firstIndex(where: { $0.hasPrefix(prefix) }),
                let end = lines[first...].firstIndex(of: "OK")
            else { return nil }
            // Only the first line always has the prefix. A line with another name is not part of the answer.
            let own = lines[first..<end].filter { $0.hasPrefix(prefix) || !$0.hasPrefix("+") }
            return .done(
                own.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
                    .joined(separator: "\n"))
        }
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A }
}
