/// What another session has told those who listen (NOTIFY): a hint, which may be lost with the connection.
public struct PostgresNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// What was said.
    public let payload: String

    /// A notification as described.
    public init(channel: String, payload: String) { (self.channel, self.payload) = (channel, payload) }
}
