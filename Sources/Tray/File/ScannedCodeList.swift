/// A list of codes, one in each line, as a scanner or a spreadsheet writes it.
package struct ScannedCodeList: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The line's number, from 1.
        package let line: Int
        package let code: ScannedCode
    }

    package let entries: [Entry]

    /// The largest list that is read, in bytes.
    package static let limit = 1 << 20

    /// Reads a list in UTF-8, with any line ends. Skips empty lines, and a heading `slot,code` or `code` in the first
    /// line that is not empty.
    package init(parsing text: [UInt8]) throws(ScannedCodeError) {
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

package struct ScannedCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the list, from 1; nil for a single code.
    package let line: Int?
    /// The column, from 1, in Unicode scalars; nil for a fault of the whole list.
    package let column: Int?
    package let message: String

    init(line: Int? = nil, column: Int?, _ message: String) {
        (self.line, self.column, self.message) = (line, column, message)
    }

    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
    }
}
