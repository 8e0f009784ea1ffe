/// What is wrong with a YAML file, and where.
public struct YAMLProblem: Error, Hashable, Sendable {
    /// The line, from 1; nil when the whole file is meant.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    /// One line that says what was found.
    public let message: String
    /// The line of the file and, under it, a mark at the place; empty when the whole file is meant.
    public let excerpt: [String]

    /// A problem with the whole file.
    public init(_ message: String) {
        (line, column) = (nil, nil)
        self.message = message
        excerpt = []
    }

    private init(_ message: String, line: Int?, column: Int?) {
        (self.message, self.line, self.column, excerpt) = (message, line, column, [])
    }

    /// The same without what stands there, for files that nobody may see: of what a message quotes only `words` stay, for the rest
    /// there is an ellipsis.
    public func withoutContent(but words: Set<String>) -> YAMLProblem {
        guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"), first < last,
            !words.contains(String(message[message.index(after: first)..<last]))
        else { return YAMLProblem(message, line: line, column: column) }
        let shown = message[..<first] + "'…'" + message[message.index(after: last)...]
        return YAMLProblem(String(shown), line: line, column: column)
    }

    /// A problem at a place of `source`.
    init(_ message: String, at place: YAMLPlace, of source: YAMLSource) {
        line = place.line
        column = place.column
        self.message = message
        excerpt = source.excerpt(at: place)
    }
}

extension YAMLProblem: CustomStringConvertible {
    /// One line for people: the place and what is wrong.
    public var description: String {
        guard let line else { return message }
        return "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)"
    }
}
