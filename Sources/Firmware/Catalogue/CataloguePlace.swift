/// A position in a catalogue.
public struct CataloguePlace: Hashable, Sendable {
    /// The file's name, as given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
}

extension CataloguePlace: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(file): line \(line), column \(column)" }
}
