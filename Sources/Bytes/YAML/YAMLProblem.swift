/// An error in a YAML file, with its position.
public struct YAMLProblem: Error, Hashable, Sendable {
    /// The line, from 1; nil if the error concerns the whole file.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    /// One line with the error.
    public let message: String
    /// The line of the file and, under it, a mark at the position; empty if the error concerns the whole file.
    public let excerpt: [String]

    /// An error that concerns the whole file.
    public init(_ message: String) {
        (line, column) = (nil, nil)
        self.message = message
        excerpt = []
    }

    private init(_ message: String, line: Int?, column: Int?) {
        (self.message, self.line, self.column, excerpt) = (message, line, column, [])
    }

    /// The same without the file's content, for secret files: of quoted text in the message only `words` stay,
    /// and an ellipsis replaces the rest.
    public func withoutContent(but words: Set<String>) -> YAMLProblem {
        guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"), first < last,
            !words.contains(String(message[message.index(after: first)..<last]))
        else { return YAMLProblem(message, line: line, column: column) }
        let shown = message[..<first] + "'…'" + message[message.index(after: last)...]
        return YAMLProblem(String(shown), line: line, column: column)
    }

    /// An error at a place of `source`.
    init(_ message: String, at place: YAMLPlace, of source: YAMLSource) {
        line = place.line
        column = place.column
        self.message = message
        excerpt = source.excerpt(at: place)
    }
}

extension YAMLProblem: CustomStringConvertible {
    /// One line for people: the position and the error.
    public var description: String {
        guard let line else { return message }
        return "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)"
    }
}
