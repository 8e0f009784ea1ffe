/// The server to connect to, and time limits.
///
/// `target` is a connection string or URI of libpq (PostgreSQL, 34.1.1): `host=db.plant dbname=beacons user=bench3`,
/// `service=beacons`, `postgresql://bench3@db.plant/beacons`. It has no password: that is in `~/.pgpass` (or the file that
/// PGPASSFILE names) or in the service file, where neither a list of processes nor a message shows it.
///
/// No deadline ends libpq's name lookup at the start of a connection: if a plant's name service may fail, give
/// `hostaddr=10.0.0.1` in addition to `host`.
public struct PostgresSettings: Hashable, Sendable {
    /// The connection string.
    public var target: String
    /// The name of the connection in the server's lists.
    public var applicationName: String
    /// Time limit for connecting; each of several servers gets its share of it.
    public var connecting: Duration
    /// Time limit of a statement, at both ends.
    public var answering: Duration
    /// The time without an acknowledgement of sent data or of a keepalive after which the peer counts as gone.
    public var silence: Duration

    /// Creates settings with these values.
    public init(
        _ target: String, applicationName: String, connecting: Duration = .seconds(10),
        answering: Duration = .seconds(10), silence: Duration = .seconds(15)
    ) {
        self.target = target
        self.applicationName = applicationName
        self.connecting = connecting
        self.answering = answering
        self.silence = silence
    }

    /// The keywords for libpq, in this order: `target` overrides those before it.
    var keywords: [(name: String, value: String)] {
        let seconds = max(1, silence.components.seconds)
        return [
            ("fallback_application_name", applicationName), ("client_encoding", "UTF8"),
            ("gssencmode", "disable"), ("keepalives", "1"), ("keepalives_idle", "\(max(1, seconds / 2))"),
            ("keepalives_interval", "\(max(1, seconds / 6))"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(seconds * 1000)"), ("dbname", target),
        ]
    }
}
