/// One of several parts of an update that are installed one after the other.
public struct UpdatePart: Equatable, Sendable {
    /// Its place, from 1.
    public let number: Int
    /// How many there are.
    public let count: Int
    /// What it is, in sentences.
    public let title: String

    /// The part in the given place.
    public init(number: Int, of count: Int, title: String) {
        self.number = number
        self.count = count
        self.title = title
    }
}

extension UpdatePart: CustomStringConvertible {
    /// Place and content.
    public var description: String { "part \(number) of \(count): \(title)" }
}
