/// An error in a file, with its position and the line in question.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; nil if the error concerns the whole file.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    public let message: String
    /// The line of the file and, under it, a mark at the position; empty if the error concerns the whole file.
    public let excerpt: [String]

    /// An error that concerns the whole file.
    public init(_ message: String) { self.init(message, line: nil, column: nil) }

    private init(_ message: String, line: Int?, column: Int?, excerpt: [String] = []) {
        (self.message, self.line, self.column, self.excerpt) = (message, line, column, excerpt)
    }

    /// This error without the file's content, for secret files: an ellipsis replaces quoted text in the message that
    /// is not one of `words`.
    public func withoutContent(but words: Set<String>) -> YAMLProblem {
        guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"), first < last,
            !words.contains(String(message[message.index(after: first)..<last]))
        else { return YAMLProblem(message, line: line, column: column) }
        let shown = message[..<first] + "'…'" + message[message.index(after: last)...]
        return YAMLProblem(String(shown), line: line, column: column)
    }

    init(_ message: String, at place: YAMLPlace, of source: YAMLSource) {
        self.init(message, line: place.line, column: place.column, excerpt: source.excerpt(at: place))
    }

    public var description: String {
        guard let line else { return message }
        return "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)"
    }
}
