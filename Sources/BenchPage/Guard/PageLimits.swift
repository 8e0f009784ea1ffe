/// The limits of the server and of its users.
enum PageLimits {
    static let bodyBytes = 64 * 1024
    static let headBytes = 16 * 1024
    /// Simultaneous connections with a session, on each listening address.
    static let connections = 96
    /// Simultaneous connections of one session; on a wall screen, of one address.
    static let connectionsOfOne = 16
    /// Simultaneous connections without a session, on each listening address.
    static let strangers = 256
    /// How long a connection without a session stays open at least, even if all places are taken.
    static let strangersGrace = Duration.milliseconds(100)
    /// The same minimum over TLS, whose handshake needs several round trips.
    static let strangersHandshake = Duration.milliseconds(500)
    /// Connections that may wait to be accepted.
    static let backlog = 1024
    /// How long a stranger counts as busy, from its first request on.
    static let strangersAnswer = Duration.seconds(2)
    /// Time limit for the head of a stranger's request, including the TLS handshake.
    static let strangersHead = Duration.seconds(5)
    /// Simultaneous event streams; the other connections are for everything else.
    static let streams = 32
    /// Simultaneous event streams of one session, which its tabs share; on a wall screen, of one address.
    static let streamsOfOne = 4
    /// The most bytes of a user's name.
    static let nameBytes = 256
    /// Simultaneous sessions; the least recently used is removed first.
    static let sessions = 64
    /// The latest requests whose answers are kept for repeated requests.
    static let requests = 256
    /// Wrong tokens per minute.
    static let wrongTokens = 10
    /// How long an unused session lasts: a shift.
    static let sessionLength = Duration.seconds(12 * 3600)
    /// Idle limit of a session's connection between two requests.
    static let idle = Duration.seconds(20)
    /// Time limit for the body of a request.
    static let body = Duration.seconds(15)
    /// Time limit for a reader to accept written data.
    static let write = Duration.seconds(30)
    /// Time limit for a request to the source.
    static let answer = Duration.seconds(15)
    /// How long metrics are cached.
    static let metricsCache = Duration.seconds(5)
    /// Heartbeat interval of a stream.
    static let heartbeat = Duration.seconds(15)
}
