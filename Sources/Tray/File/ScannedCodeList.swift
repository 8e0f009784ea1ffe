/// A list of codes, one a line: what a scanner has collected, or a spreadsheet has written.
public struct ScannedCodeList: Hashable, Sendable {
    /// A code and where it stands.
    public struct Entry: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// What stands in it.
        public let code: ScannedCode
    }

    /// The codes in their order.
    public let entries: [Entry]

    /// The largest list that is read, in bytes.
    public static let limit = 1 << 20

    /// Reads a list in UTF-8, with any ends of lines. Empty lines are passed over, and so is a heading `slot,code` or
    /// `code` in the first of the others.
    public init(parsing text: [UInt8]) throws(ScannedCodeFlaw) {
        guard text.count <= Self.limit else {
            throw ScannedCodeFlaw(
                column: nil, "the list has \(text.count) bytes, at most \(Self.limit) allowed")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
        guard let words = String(validating: rest, as: UTF8.self) else {
            throw ScannedCodeFlaw(column: nil, "the list is not UTF-8 text")
        }
        var entries: [Entry] = []
        var isFirst = true
        let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            defer { isFirst = false }
            do throws(ScannedCodeFlaw) {
                if isFirst, try Self.isHeading(String(line)) { continue }
                entries.append(Entry(line: index + 1, code: try ScannedCode(line: String(line))))
            } catch {
                throw ScannedCodeFlaw(line: index + 1, column: error.column, error.message)
            }
        }
        self.entries = entries
    }

    private static func isHeading(_ line: String) throws(ScannedCodeFlaw) -> Bool {
        let words = try ScannedField.fields(of: line).map { $0.text.lowercased() }
        return words == ["slot", "code"] || words == ["code"]
    }
}
