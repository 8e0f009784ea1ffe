/// How much of anything there may be.
public enum PageLimits {
    /// Of the body of a request.
    public static let bodyBytes = 64 * 1024
    /// Of the head of a request.
    public static let headBytes = 16 * 1024
    /// Connections at a time of those who have shown a session, on each address that is listened on.
    public static let connections = 96
    /// Of them those of a session; on a wall those of an address.
    public static let connectionsOfOne = 16
    /// Connections at a time of all others, on each address that is listened on.
    public static let strangers = 256
    /// Each of them has at least so long, however many others want in.
    public static let strangersGrace = Duration.milliseconds(100)
    /// The same by TLS, whose handshake goes back and forth.
    public static let strangersHandshake = Duration.milliseconds(500)
    /// So many more wait to be accepted, in their order.
    public static let backlog = 1024
    /// How long answers to one of them count, from the first one on.
    public static let othersAnswer = Duration.seconds(2)
    /// How long a stranger may take until the head of a request is there, the handshake of TLS included.
    public static let strangersHead = Duration.seconds(5)
    /// Streams of events at a time; the rest of the connections is for everything else.
    public static let streams = 32
    /// Of them those of a session, whose tabs share one; on a wall those of an address.
    public static let streamsOfOne = 4
    /// Of a name that somebody gives.
    public static let nameBytes = 256
    /// Sessions at a time; the one that was used longest ago gives way.
    public static let sessions = 64
    /// Wishes whose answers are kept.
    public static let requests = 256
    /// Wrong tokens in a minute.
    public static let wrongTokens = 10
    /// How long a session lasts without being used: a shift.
    public static let sessionLength = Duration.seconds(12 * 3600)
    /// How long the connection of a session may be idle between two requests.
    public static let idle = Duration.seconds(20)
    /// How long the body of a request may take.
    public static let body = Duration.seconds(15)
    /// How long a reader may take to take what was written.
    public static let write = Duration.seconds(30)
    /// How long a wish or a question to the source may take.
    public static let answer = Duration.seconds(15)
    /// How long figures are good.
    public static let figures = Duration.seconds(5)
    /// Between two signs of life on a stream.
    public static let heartbeat = Duration.seconds(15)
}
