/// The limits of the server.
public enum PageLimits {
    /// Bytes of a request's body.
    public static let bodyBytes = 64 * 1024
    /// Bytes of a request's head.
    public static let headBytes = 16 * 1024
    /// Simultaneous connections with a session, on each listening address.
    public static let connections = 96
    /// Of these, the most of one session; on a wall screen, of one address.
    public static let connectionsOfOne = 16
    /// Simultaneous connections without a session, on each listening address.
    public static let strangers = 256
    /// The minimum time of each of them, whatever the demand.
    public static let strangersGrace = Duration.milliseconds(100)
    /// The same for TLS, whose handshake needs several round trips.
    public static let strangersHandshake = Duration.milliseconds(500)
    /// Connections that may wait to be accepted.
    public static let backlog = 1024
    /// How long answers to a stranger count, from the first one on.
    public static let othersAnswer = Duration.seconds(2)
    /// Time limit for the head of a stranger's request, including the TLS handshake.
    public static let strangersHead = Duration.seconds(5)
    /// Simultaneous event streams; the other connections are for everything else.
    public static let streams = 32
    /// Of these, the most of one session, which its tabs share; on a wall screen, of one address.
    public static let streamsOfOne = 4
    /// Bytes of a user's name.
    public static let nameBytes = 256
    /// Simultaneous sessions; the least recently used is removed first.
    public static let sessions = 64
    /// Requests whose answers are kept.
    public static let requests = 256
    /// Wrong tokens per minute.
    public static let wrongTokens = 10
    /// How long an unused session lasts: a shift.
    public static let sessionLength = Duration.seconds(12 * 3600)
    /// Idle limit of a session's connection between two requests.
    public static let idle = Duration.seconds(20)
    /// Time limit for a request's body.
    public static let body = Duration.seconds(15)
    /// Time limit for a reader to accept written data.
    public static let write = Duration.seconds(30)
    /// Time limit for a request to the source.
    public static let answer = Duration.seconds(15)
    /// How long metrics are cached.
    public static let figures = Duration.seconds(5)
    /// Heartbeat interval of a stream.
    public static let heartbeat = Duration.seconds(15)
}
