package import Bluetooth
import Tray
package import UpdateModel
package import Work

/// The facts that `doctor` reports about the work server's database, and the findings that follow from them.
package struct WorkServerSurvey: Hashable, Sendable {
    package enum Role: String, CaseIterable, Sendable {
        /// The role that may claim units and deliver results.
        case station
        case viewer
        /// The role that may release orders.
        case approver
        /// The role that may create orders and publish catalogues.
        case admin
    }

    /// The server's version, for example 150018 for 15.18.
    package let serverVersion: Int
    /// The work server's schema; nil if there is none, or this login cannot see it.
    package let schema: Int?
    package let login: String
    package let roles: [Role]
    /// How far this machine's clock is ahead of the server's; negative if behind. Exact to half of the query's time.
    package let clockAhead: Duration
    package let isStandby: Bool
    /// Whether sessions are read-only by default.
    package let isReadOnly: Bool
    /// Whether the session keeps one server process, as LISTEN needs; false with a pool that assigns one for each
    /// transaction, nil if that cannot be tested, as on a standby.
    package let keepsServerProcess: Bool?
    /// The server's settings `fsync` and `synchronous_commit`, which show whether a commit waits for the disk.
    package let fsync, synchronousCommit: String
    /// Whether the owner of the work server's schema can run programs on the database server, as a superuser can; nil
    /// if there is no schema.
    package let canOwnerRunPrograms: Bool?
    /// The highest possible and the current number of connections of the server.
    package let mostConnections, currentConnections: Int
    /// Whether the connection is encrypted; nil if the server does not report it.
    package let isEncrypted: Bool?

    /// Examines the work server. `clock` is this machine's wall clock, in milliseconds since 1970.
    package static func examine(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper,
        clock: @Sendable () -> Int64
    ) async throws(WorkError) -> WorkServerSurvey {
        do throws(PostgresError) {
            return try await PostgresConnection.open(settings, on: readiness, time: time).closing {
                (connection) throws(PostgresError) in try await WorkServerSurvey(connection, clock)
            }
        } catch { throw WorkError(error) }
    }

    private init(_ connection: PostgresConnection, _ clock: () -> Int64) async throws(PostgresError) {
        let during = "checking the work server"
        let asked = clock()
        let facts = try await connection.run(
            """
            SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, session_user::text AS login,
              pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only')::boolean AS read_only,
              current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
              current_setting('max_connections')::integer AS most, (SELECT sum(numbackends) FROM pg_stat_database) AS present,
              (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
              coalesce(has_schema_privilege(to_regnamespace('beacon_dfu')::oid, 'USAGE'), false) AS usable
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
        currentConnections = Int(clamping: try row.integerIfAny("present") ?? 0)
        isEncrypted = try row.booleanIfAny("encrypted")
        schema =
            try row.boolean("usable")
            ? try await connection.run(
                "SELECT max(version) AS version FROM beacon_dfu.about", during: during
            ).only(during).integerIfAny("version").map { Int(clamping: $0) } : nil
        let granted = try await connection.run(
            """
            SELECT substr(rolname, 12) AS role FROM pg_roles
            WHERE rolname ~ '^beacon_dfu_' AND pg_has_role(oid, 'USAGE') ORDER BY rolname
            """, during: during)
        roles = try granted.map { row throws(PostgresError) in try row.text("role") }.compactMap {
            Role(rawValue: $0)
        }
        // Before PostgreSQL 16, a login that may create roles can grant any role, including those that may run programs
        // on the server.
        let owners = try await connection.run(
            """
            SELECT r.rolsuper OR r.rolcreaterole AND current_setting('server_version_num')::integer < 160000
              OR pg_has_role(r.oid, 'pg_execute_server_program', 'MEMBER')
              OR pg_has_role(r.oid, 'pg_write_server_files', 'MEMBER') AS owner
            FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE n.nspname = 'beacon_dfu'
            """, during: during)
        canOwnerRunPrograms = try owners.first?.booleanIfAny("owner")
        keepsServerProcess = await Self.keepsServerProcess(connection, during)
    }

    /// A pool (PgBouncer) reports another process id, and loses LISTEN registrations.
    private static func keepsServerProcess(_ connection: PostgresConnection, _ during: String) async -> Bool?
    {
        do throws(PostgresError) {
            let channel = "beacon_dfu_survey"
            _ = try await connection.run("LISTEN \(channel)", during: during)
            let rows = try await connection.run("SELECT pg_backend_pid() AS process", during: during)
            let isSame = try rows.only(during).integer("process") == Int64(await connection.backend)
            _ = try await connection.run("NOTIFY \(channel)", during: during)
            let received = try await connection.notifications(within: .seconds(2))
            return isSame && !received.isEmpty
        } catch { return nil }
    }

    package struct Finding: Hashable, Sendable {
        package let isFatal: Bool
        package let code: FailureCode
        package let message, nextStep: String
    }

    /// The lowest major version of PostgreSQL that is supported.
    package static let leastServerVersion = 15

    /// The findings, the worst first.
    package var findings: [Finding] {
        var findings: [Finding] = []
        func check(
            _ isFlawed: Bool, isFatal: Bool = false, _ code: FailureCode, _ message: String,
            _ nextStep: String
        ) {
            guard isFlawed else { return }
            findings.append(Finding(isFatal: isFatal, code: code, message: message, nextStep: nextStep))
        }
        let own = WorkServerSchema.current.version
        let found = schema ?? own
        check(
            serverVersion / 10_000 < Self.leastServerVersion, isFatal: true, .workServer.serverOld,
            "the server is PostgreSQL \(serverVersion / 10_000)", "use 15 or later")
        check(
            isStandby || isReadOnly, isFatal: true, .workServer.readOnly, "the server accepts no changes",
            "connect to the primary, or promote this one")
        check(
            schema == nil, isFatal: true, .workServer.schema,
            "login \(login) sees no work server schema in this database",
            "prepare the database, or grant the login a role")
        check(found < own, .workServer.old, "the work server's schema is \(found)", "upgrade it to \(own)")
        check(
            found > own, .workServer.newer, "the work server's schema is \(found)",
            "install a later version of this program")
        check(
            roles.isEmpty, isFatal: true, .workServer.notAllowed,
            "login \(login) has no role of the work server", "grant it beacon_dfu_station")
        check(
            canOwnerRunPrograms == true, .workServer.ownerPowerful,
            "the owner of the work server's schema can run programs on the database server",
            "let a login own the schema that has only CREATE on its database (docs/stations.md): pg_dump the database, and restore it with pg_restore as that login, without the old owner"
        )
        check(
            fsync != "on" || synchronousCommit == "off", .workServer.forgetful,
            "fsync is \(fsync), synchronous_commit is \(synchronousCommit)",
            "set both to on: otherwise the server may lose results that it has acknowledged")
        check(
            keepsServerProcess == false, .workServer.pooled,
            "a connection pool assigns servers by transaction: notifications do not arrive",
            "set pool_mode=session, or connect to the server directly; stations also poll")
        check(
            mostConnections - currentConnections < 10, .workServer.crowded,
            "\(currentConnections) of \(mostConnections) connections are in use", "raise max_connections")
        check(
            clockAhead >= .seconds(60) || clockAhead <= .seconds(-60), .station.clockSkew,
            "\(HeartbeatReply.words(clockAhead: clockAhead)) server's",
            "synchronise both with one time server; leases do not depend on it, but times in reports do")
        return findings
    }
}
