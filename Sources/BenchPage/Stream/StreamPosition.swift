/// The position of a reader: the server's epoch, and the number of the last event received.
public struct StreamPosition: Hashable, Sendable {
    /// Identifies one start of the server: numbers of another start are unrelated.
    public let epoch: String
    /// Counted from 0, the initial state.
    public let number: Int

    /// Creates a position with these values.
    public init(epoch: String, number: Int) { (self.epoch, self.number) = (epoch, number) }

    /// Parses a `Last-Event-ID`; nil if it is invalid.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard text.utf8.count <= 64, parts.count == 2, let number = Int(parts[1]), number >= 0 else {
            return nil
        }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// The `id` of an event.
    public var text: String { "\(epoch).\(number)" }
}
