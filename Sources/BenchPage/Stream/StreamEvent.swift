/// An event of the stream, as it is written (HTML, server-sent events).
public struct StreamEvent: Hashable, Sendable {
    /// Where a reader is who has it.
    public let position: StreamPosition
    /// `snapshot` or `patch`.
    public let name: String
    /// One line of JSON.
    public let data: String

    /// The bytes of it.
    public var text: String { "id: \(position.text)\nevent: \(name)\ndata: \(data)\n\n" }
}
