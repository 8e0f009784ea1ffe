/// A notification from another session (NOTIFY): a hint, which may be lost with the connection.
public struct PostgresNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// The payload.
    public let payload: String

    /// Creates a notification with these values.
    public init(channel: String, payload: String) { (self.channel, self.payload) = (channel, payload) }
}
