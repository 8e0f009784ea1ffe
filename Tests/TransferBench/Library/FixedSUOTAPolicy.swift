/// The way in which a well-known tool sends an image over SUOTA: fixed numbers, whatever the device.
public struct FixedSUOTAPolicy: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The longest chunk, whatever the device accepts.
    public var longestChunk = 20
    /// Whether each chunk is a write with a response.
    public var isAnswered = false
    /// Wait after each chunk.
    public var wait = Duration.zero

    /// Blocks of 240 bytes, as in the vendor's library; its chunks are as long as the device accepts. Scripts write
    /// chunks of 20 bytes and wait for each response, or for a fixed time if their library reports none.
    public static let all = [
        FixedSUOTAPolicy(name: "blocks of 240", longestChunk: 244),
        FixedSUOTAPolicy(name: "20, answered", isAnswered: true),
        FixedSUOTAPolicy(name: "20, 5 ms each", wait: .milliseconds(5)),
    ]
}
