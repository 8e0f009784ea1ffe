/// What is wrong with a YAML file, and where.
public struct YAMLProblem: Error, Hashable, Sendable {
    /// The line, from 1; nil when the whole file is meant.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    /// One line that says what was found.
    public let message: String

    /// A problem at a place, or with the whole file.
    public init(line: Int? = nil, column: Int? = nil, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

extension YAMLProblem: CustomStringConvertible {
    /// One line for people: the place and what is wrong.
    public var description: String {
        guard let line else { return message }
        return "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)"
    }
}
