/// Whom to connect to, and how long anything may take.
///
/// `target` is a connection string or URI of libpq (PostgreSQL, 34.1.1): `host=db.plant dbname=beacons user=bench3`,
/// `service=beacons`, `postgresql://bench3@db.plant/beacons`. It has no password: that is in `~/.pgpass` (or the file that
/// PGPASSFILE names) or in the service file, where neither a list of processes nor a message shows it.
///
/// libpq looks a name up while the connection is begun, which no deadline ends: where the name service of a plant may be away, say
/// `hostaddr=10.0.0.1` beside `host`.
public struct PostgresSettings: Hashable, Sendable {
    /// The connection string.
    public var target: String
    /// How the server's lists of connections call this one.
    public var applicationName: String
    /// How long connecting may take; each of several servers gets its share of it.
    public var connecting: Duration
    /// How long a statement may take, at both ends.
    public var answering: Duration
    /// After so long without an acknowledgement of what was sent, or of a question whether it is there, the other end is gone.
    public var silence: Duration

    /// Settings as described.
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

    /// What libpq is told, in this order: what `target` says goes over what is before it.
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
