/// A contradiction within a catalogue, or between it and its packages.
public struct CatalogueFinding: Error, Hashable, Sendable {
    /// A stable name in kebab-case.
    public let code: String
    /// The position of the entry.
    public let place: CataloguePlace
    /// One line for people.
    public let message: String

    /// A finding about the entry at `place`.
    public init(_ code: String, at place: CataloguePlace, _ message: String) {
        (self.code, self.place, self.message) = (code, place, message)
    }
}
