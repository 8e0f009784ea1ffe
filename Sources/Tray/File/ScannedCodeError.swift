/// An error in a code or a list of codes, with its place.
public struct ScannedCodeError: Error, Hashable, Sendable {
    /// The line of the list, from 1; nil for a single code.
    public let line: Int?
    /// The column, from 1, in Unicode scalars; nil for the whole list.
    public let column: Int?
    /// The error in words.
    public let message: String

    init(line: Int? = nil, column: Int?, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

extension ScannedCodeError: CustomStringConvertible {
    /// One line: the place and the error.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
    }
}
