/// The text that values come from, for excerpts in messages.
struct YAMLSource: Sendable {
    let text: String

    /// The line of `place`, after its number, and the mark under it.
    func excerpt(at place: YAMLPlace) -> [String] {
        let lines = text.split(
            maxSplits: place.line, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard place.line <= lines.count, place.line > 0 else { return [] }
        // Each tab is shown as one space, so that the mark is under its target.
        let line = lines[place.line - 1].unicodeScalars.map { $0 == "\t" ? " " : $0 }
        let start = min(max(0, place.column - 1), line.count)
        let first = start > Self.room - 16 ? start - 16 : 0
        let shown = line[first...].prefix(Self.room)
        let number = String(place.line)
        let margin = String(repeating: " ", count: number.count)
        let indent = String(repeating: " ", count: start - first + (first > 0 ? 1 : 0))
        let mark = String(repeating: "^", count: max(1, min(place.width, shown.endIndex - start)))
        var words = String.UnicodeScalarView()
        words.append(contentsOf: shown)
        let isCut = shown.endIndex < line.endIndex
        return [
            "  \(number) | \(first > 0 ? "…" : "")\(String(words))\(isCut ? "…" : "")",
            "  \(margin) | \(indent)\(mark)",
        ]
    }

    func place(of offset: Int) -> YAMLPlace {
        let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
        let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return YAMLPlace(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
    }

    private var lines: [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// `place`, or the end of the last non-empty line before it if it is on an empty line or after the text.
    func within(_ place: YAMLPlace) -> YAMLPlace {
        let lines = lines
        guard place.line > lines.count || lines[place.line - 1].isEmpty else { return place }
        let last = lines.prefix(place.line).lastIndex { !$0.isEmpty } ?? 0
        return YAMLPlace(line: last + 1, column: lines[last].unicodeScalars.count + 1)
    }

    func character(at place: YAMLPlace) -> Character? {
        let lines = lines
        guard (1...lines.count).contains(place.line) else { return nil }
        return lines[place.line - 1].dropFirst(place.column - 1).first
    }

    /// The maximum part of a line to show, in scalars: terminals have 80 columns.
    private static let room = 64
}

struct YAMLPlace: Hashable, Sendable {
    /// From 1.
    let line: Int
    /// From 1, in Unicode scalars.
    let column: Int
    /// The width of the value on that line, in Unicode scalars.
    var width = 1
}
