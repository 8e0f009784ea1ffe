/// Something in a catalogue that contradicts itself, or the files that it names.
public struct CatalogueFlaw: Error, Hashable, Sendable {
    /// A stable name in kebab-case.
    public let code: String
    /// Where the entry is that it is about.
    public let place: CataloguePlace
    /// One line for people.
    public let message: String

    /// A flaw of the entry at `place`.
    public init(_ code: String, at place: CataloguePlace, _ message: String) {
        (self.code, self.place, self.message) = (code, place, message)
    }
}
