/// How far a reader of the stream is: which server's stream, and the number of the last event that it has.
public struct StreamPosition: Hashable, Sendable {
    /// Of one start of the server: numbers of another mean something else.
    public let epoch: String
    /// From 0, the state at the beginning.
    public let number: Int

    /// A position as described.
    public init(epoch: String, number: Int) { (self.epoch, self.number) = (epoch, number) }

    /// The position that a `Last-Event-ID` names; nil where it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard text.utf8.count <= 64, parts.count == 2, let number = Int(parts[1]), number >= 0 else {
            return nil
        }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// As the `id` of an event.
    public var text: String { "\(epoch).\(number)" }
}
