/// What is wrong with a code or a list of codes, and where.
public struct ScannedCodeFlaw: Error, Hashable, Sendable {
    /// The line of the list, from 1; nil where one code was read.
    public let line: Int?
    /// The column, from 1, in Unicode scalars; nil where the whole list is meant.
    public let column: Int?
    /// What was found, for people.
    public let message: String

    init(line: Int? = nil, column: Int?, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

extension ScannedCodeFlaw: CustomStringConvertible {
    /// One line for people: the place and what is wrong.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
    }
}
