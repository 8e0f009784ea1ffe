/// An event of the stream in its wire format (HTML, server-sent events).
public struct StreamEvent: Hashable, Sendable {
    /// The position of a reader that has received it.
    public let position: StreamPosition
    /// `snapshot` or `patch`.
    public let name: String
    /// One line of JSON.
    public let data: String

    /// The wire format.
    public var text: String { "id: \(position.text)\nevent: \(name)\ndata: \(data)\n\n" }
}
