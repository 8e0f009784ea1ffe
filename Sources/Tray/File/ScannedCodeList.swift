/// A list of codes, one a line, as a scanner or a spreadsheet writes it.
public struct ScannedCodeList: Hashable, Sendable {
    /// A code and its line.
    public struct Entry: Hashable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// The line's code.
        public let code: ScannedCode
    }

    /// The codes in their order.
    public let entries: [Entry]

    /// The largest list that is read, in bytes.
    public static let limit = 1 << 20

    /// Reads a list in UTF-8, with any line ends. Skips empty lines, and a heading `slot,code` or `code` in the first
    /// line that is not empty.
    public init(parsing text: [UInt8]) throws(ScannedCodeError) {
        guard text.count <= Self.limit else {
            throw ScannedCodeError(
                column: nil, "the list has \(text.count) bytes, at most \(Self.limit) allowed")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
        guard let words = String(validating: rest, as: UTF8.self) else {
            throw ScannedCodeError(column: nil, "the list is not UTF-8 text")
        }
        var entries: [Entry] = []
        var isFirst = true
        let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            defer { isFirst = false }
            do throws(ScannedCodeError) {
                if isFirst, try Self.isHeading(String(line)) { continue }
                entries.append(Entry(line: index + 1, code: try ScannedCode(line: String(line))))
            } catch {
                throw ScannedCodeError(line: index + 1, column: error.column, error.message)
            }
        }
        self.entries = entries
    }

    private static func isHeading(_ line: String) throws(ScannedCodeError) -> Bool {
        let words = try ScannedField.fields(of: line).map { $0.text.lowercased() }
        return words == ["slot", "code"] || words == ["code"]
    }
}
