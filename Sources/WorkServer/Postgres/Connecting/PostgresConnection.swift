package import Bluetooth
import CPostgres

/// One session with a PostgreSQL server: one statement at a time, each with a deadline; none blocks a thread.
///
/// After a deadline, a cancellation or a lost connection, the outcome of the statement is unknown: the session is
/// closed permanently (`isOpen` is false), and another one has to be opened.
package actor PostgresConnection: ClosableConnection {
    let settings: PostgresSettings
    let readiness: any DescriptorReadiness
    let time: Timekeeper
    let turn = FIFOLock()
    var link: Link?

    init(_ settings: PostgresSettings, on readiness: any DescriptorReadiness, _ time: Timekeeper) {
        (self.settings, self.readiness, self.time) = (settings, readiness, time)
    }

    /// Connects. Sets time limits at the server, so that it does not continue abandoned statements.
    package static func open(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper
    ) async throws(PostgresError) -> PostgresConnection {
        if let flaw = ConnectionText.flaw(in: settings.target) {
            throw PostgresError(.settings(flaw), during: "connecting")
        }
        let connection = PostgresConnection(settings, on: readiness, time)
        // libpq looks up names when it starts to connect, and blocks while the name service is silent. This must not
        // happen on the thread that serves links to beacons.
        let outcome = await withTaskExecutorPreference(globalConcurrentExecutor) {
            do throws(PostgresError) {
                try await connection.connectToAny()
                return Result<Void, PostgresError>.success(())
            } catch { return .failure(error) }
        }
        try outcome.get()
        try await connection.setServerTimeouts(settings.statementTimeout, isLocal: false, "connecting")
        return connection
    }

    /// Sets the server's time limits, for this session or this transaction.
    func setServerTimeouts(_ limit: Duration, isLocal: Bool, _ during: String) async throws(PostgresError) {
        _ = try await exchange(
            """
            SELECT set_config('statement_timeout', $1, $2), set_config('lock_timeout', $1, $2),
                   set_config('idle_in_transaction_session_timeout', $1, $2)
            """, [.integer(limit.milliseconds), .boolean(isLocal)], .text, during, settings.statementTimeout)
    }

    package var isOpen: Bool { link != nil }

    /// The server's version, for example 150018 for 15.18; 0 when closed.
    package var serverVersion: Int { link?.serverVersion ?? 0 }

    /// The id of the server process of this session, or the value that a connection pool reports; 0 when closed.
    package var backend: Int32 { link?.backend ?? 0 }

    /// Ends the session. A running statement ends with an error.
    package func close() { link = nil }

    /// Tries the servers one after the other. libpq does so as well, but spends the whole time limit on a server
    /// that accepts the connection and then stays silent, such as a frozen primary.
    private func connectToAny() async throws(PostgresError) {
        let servers = ConnectionText.servers(of: settings.target)
        var causes: [String] = []
        for (number, server) in servers.enumerated() {
            do throws(PostgresError) {
                return try await time.limited(settings.connectTimeout / servers.count, during: "connecting") {
                    () throws(PostgresError) in try await self.connect(server)
                }
            } catch {
                guard servers.count > 1, error.allowsNextServer else { throw error }
                causes.append(error.cause)
                guard number == servers.count - 1 else { continue }
                throw PostgresError(
                    .connection(causes.joined(separator: "; "), sqlstate: nil), during: error.during)
            }
        }
    }

    private func connect(_ server: [(name: String, value: String)]) async throws(PostgresError) {
        // Later keywords override earlier ones, so that `server` selects one server of the connection string.
        guard let link = Link(settings.keywords + server) else {
            throw PostgresError(.connection("out of memory", sqlstate: nil), during: "connecting")
        }
        // The first wait is for writing, as PQconnectStart requires (PostgreSQL, 34.1).
        var awaited: Readiness? = link.isBad ? nil : .writable
        while let readiness = awaited {
            await self.readiness.wait(for: readiness, of: link.descriptor)
            guard !Task.isCancelled else { throw PostgresError(.cancelled, during: "connecting") }
            switch link.pollConnecting() {
            case PGRES_POLLING_READING: awaited = .readable
            case PGRES_POLLING_WRITING: awaited = .writable
            default: awaited = nil
            }
        }
        guard link.isGood, link.setNonblocking() else {
            let refused = RefusedConnection(link.errorMessage, needsPassword: link.needsPassword)
            throw PostgresError(refused.problem, during: "connecting")
        }
        self.link = link
    }
}

extension Timekeeper {
    func limited<Value: Sendable>(
        _ limit: Duration, during: String, _ body: @escaping @Sendable () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let value: Value?
        do { value = try await within(limit) { try await body() } } catch {
            throw error as? PostgresError ?? PostgresError(.cancelled, during: during)
        }
        guard let value else { throw PostgresError(.deadline(limit), during: during) }
        return value
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000_000_000
    }
}

/// A connection, or a session that opens one when it needs it.
package protocol ClosableConnection: Actor { func close() async }

extension ClosableConnection {
    /// Runs `body`, then closes the connection, also if `body` throws.
    package nonisolated func closing<Value: Sendable, Failure: Error>(
        _ body: (Self) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do throws(Failure) {
            let value = try await body(self)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}

/// The server to connect to, and time limits.
///
/// `target` is a connection string or URI of libpq (PostgreSQL, 34.1.1): `host=db.plant dbname=beacons user=bench3`,
/// `service=beacons`, `postgresql://bench3@db.plant/beacons`. It must not have a password, which a list of processes or
/// a message could show: the password is in `~/.pgpass`, in the file that PGPASSFILE names, or in the service file.
///
/// No time limit ends libpq's name lookup at the start of a connection: if a plant's name service may fail, give
/// `hostaddr=10.0.0.1` in addition to `host`.
package struct PostgresSettings: Hashable, Sendable {
    package var target, applicationName: String
    /// Time limit for connecting; several servers have equal parts of it.
    package var connectTimeout: Duration
    /// Time limit of a statement, which the server observes as well.
    package var statementTimeout: Duration
    /// Seconds without an acknowledgement of sent data or of a keepalive, after which the server counts as gone.
    private static let silence = 15

    package init(
        _ target: String, applicationName: String, connectTimeout: Duration = .seconds(10),
        statementTimeout: Duration = .seconds(10)
    ) {
        (self.target, self.applicationName) = (target, applicationName)
        (self.connectTimeout, self.statementTimeout) = (connectTimeout, statementTimeout)
    }

    /// The keywords for libpq, in this order: `target` overrides those before it.
    var keywords: [(name: String, value: String)] {
        [
            ("fallback_application_name", applicationName), ("client_encoding", "UTF8"),
            ("gssencmode", "disable"), ("keepalives", "1"), ("keepalives_idle", "\(Self.silence / 2)"),
            ("keepalives_interval", "\(Self.silence / 6)"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(Self.silence * 1000)"), ("dbname", target),
        ]
    }
}
