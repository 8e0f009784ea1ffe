public import PacketSockets
public import Postgres
public import Timing
public import WorkOrders

/// What a station sees of the engine's server, for `doctor`: facts only, what they mean is the reader's to say (`flaws`).
public struct WorkServerSurvey: Hashable, Sendable {
    /// A role of the engine that a login can have.
    public enum Role: String, CaseIterable, Sendable {
        /// It may claim and hand results in.
        case station
        /// It may look.
        case viewer
        /// It may release.
        case approver
        /// It may order and publish.
        case admin
    }

    /// The server's version, as 150018 for 15.18.
    public let serverVersion: Int
    /// The engine's schema; nil where there is none, or none that this login sees.
    public let schema: Int?
    /// Who the server takes us for.
    public let login: String
    /// What the login may do.
    public let roles: [Role]
    /// How far this machine's clock is ahead of the server's; half of what the question took is its error.
    public let clockAhead: Duration
    /// Whether the server only follows another one.
    public let isStandby: Bool
    /// Whether sessions begin read-only.
    public let isReadOnly: Bool
    /// Whether a session is one with the server, as LISTEN needs; false behind a pool that hands servers out by the transaction, nil
    /// where that cannot be tried, as on a standby.
    public let isSessionOurs: Bool?
    /// Whether a commit waits for the disk: `fsync` and `synchronous_commit`, as the server writes them.
    public let fsync, synchronousCommit: String
    /// Whether the login that owns the engine can become the server's own user, as a superuser can; nil where there is no engine.
    public let isOwnerTheServers: Bool?
    /// How many connections the server may have, and how many it has.
    public let mostConnections, presentConnections: Int
    /// Whether the connection is encrypted; nil where the server does not say.
    public let isEncrypted: Bool?

    /// Looks at the engine. `clock` is this machine's wall clock, in milliseconds since 1970.
    public static func take(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper,
        clock: @Sendable () -> Int64
    ) async throws(WorkError) -> WorkServerSurvey {
        do throws(PostgresError) {
            return try await PostgresConnection.open(settings, on: readiness, time: time).closing {
                (connection) throws(PostgresError) in try await WorkServerSurvey(connection, clock)
            }
        } catch {
            throw WorkError(error)
        }
    }

    private init(_ connection: PostgresConnection, _ clock: () -> Int64) async throws(PostgresError) {
        let during = "looking at the engine"
        let asked = clock()
        let facts = try await connection.run(
            """
            SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, session_user::text AS login,
              pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only')::boolean AS read_only,
              current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
              current_setting('max_connections')::integer AS most, (SELECT sum(numbackends) FROM pg_stat_database) AS present,
              (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
              has_schema_privilege('beacon_dfu', 'USAGE') AS usable
            FROM (SELECT to_regnamespace('beacon_dfu') AS known) x WHERE known IS NOT NULL
            UNION ALL
            SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, session_user::text,
              pg_is_in_recovery(), current_setting('default_transaction_read_only')::boolean, current_setting('fsync'),
              current_setting('synchronous_commit'), current_setting('max_connections')::integer,
              (SELECT sum(numbackends) FROM pg_stat_database), (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false
            FROM (SELECT to_regnamespace('beacon_dfu') AS known) x WHERE known IS NULL
            """, during: during)
        let answered = clock()
        let row = try facts.only(during)
        clockAhead = .milliseconds((asked + answered) / 2 - (try row.integer("now")))
        serverVersion = await connection.serverVersion
        login = try row.text("login")
        isStandby = try row.boolean("standby")
        isReadOnly = try row.boolean("read_only")
        fsync = try row.text("fsync")
        synchronousCommit = try row.text("synchronous_commit")
        mostConnections = try row.count("most")
        presentConnections = Int(clamping: try row.integerIfAny("present") ?? 0)
        isEncrypted = try row.booleanIfAny("encrypted")
        schema = try row.boolean("usable") ? try await Self.schema(connection, during) : nil
        roles = try await Self.roles(connection, during)
        isOwnerTheServers = try await Self.isOwnerTheServers(connection, during)
        isSessionOurs = await Self.isSessionOurs(connection, during)
    }

    private static func schema(_ connection: PostgresConnection, _ during: String) async throws(PostgresError)
        -> Int?
    {
        let rows = try await connection.run(
            "SELECT max(version) AS version FROM beacon_dfu.about", during: during)
        return try rows.only(during).integerIfAny("version").map { Int(clamping: $0) }
    }

    private static func roles(_ connection: PostgresConnection, _ during: String) async throws(PostgresError)
        -> [Role]
    {
        let rows = try await connection.run(
            """
            SELECT substr(rolname, 12) AS role FROM pg_roles
            WHERE rolname ~ '^beacon_dfu_' AND pg_has_role(oid, 'USAGE') ORDER BY rolname
            """, during: during)
        var roles: [Role] = []
        for row in rows { if let role = Role(rawValue: try row.text("role")) { roles.append(role) } }
        return roles
    }

    /// Before PostgreSQL 16, who makes roles gives any role to anybody, those included that run programs at the server.
    private static func isOwnerTheServers(
        _ connection: PostgresConnection, _ during: String
    ) async throws(PostgresError) -> Bool? {
        let rows = try await connection.run(
            """
            SELECT r.rolsuper OR r.rolcreaterole AND current_setting('server_version_num')::integer < 160000
              OR pg_has_role(r.oid, 'pg_execute_server_program', 'MEMBER')
              OR pg_has_role(r.oid, 'pg_write_server_files', 'MEMBER') AS owner
            FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE n.nspname = 'beacon_dfu'
            """, during: during)
        return try rows.first?.booleanIfAny("owner")
    }

    /// A pool gives out a key of its own in place of the server's process (PgBouncer), and forgets who listens.
    private static func isSessionOurs(_ connection: PostgresConnection, _ during: String) async -> Bool? {
        do throws(PostgresError) {
            let channel = "beacon_dfu_survey"
            _ = try await connection.run("LISTEN \(channel)", during: during)
            let rows = try await connection.run("SELECT pg_backend_pid() AS process", during: during)
            let isSame = try rows.only(during).integer("process") == Int64(await connection.backend)
            _ = try await connection.run("NOTIFY \(channel)", during: during)
            let news = try await connection.notifications(within: .seconds(2))
            return isSame && !news.isEmpty
        } catch {
            return nil
        }
    }
}
