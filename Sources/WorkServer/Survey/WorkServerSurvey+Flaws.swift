extension WorkServerSurvey {
    /// A finding about the work server's database that the user should know.
    public struct Finding: Hashable, Sendable {
        /// Whether it keeps stations from getting work.
        public let isFatal: Bool
        /// Its stable code.
        public let code: String
        /// The finding in words.
        public let message: String
        /// Advice for the user.
        public let nextStep: String
    }

    /// The oldest supported PostgreSQL version.
    public static let leastServer = 15

    /// The findings, the worst first.
    public var flaws: [Finding] {
        var flaws: [Finding] = []
        func add(_ isFatal: Bool, _ code: String, _ message: String, _ nextStep: String) {
            flaws.append(Finding(isFatal: isFatal, code: code, message: message, nextStep: nextStep))
        }
        if serverVersion / 10_000 < Self.leastServer {
            add(
                true, "engine-server-old", "the server is PostgreSQL \(serverVersion / 10_000)",
                "use 15 or later")
        }
        if isStandby || isReadOnly {
            add(
                true, "engine-read-only", "the server accepts no changes",
                "connect to the primary, or promote this one")
        }
        switch schema {
        case nil:
            add(
                true, "engine-schema", "login \(login) sees no work server schema in this database",
                "prepare the database, or grant the login a role")
        case let found? where found < WorkServerSchema.present.version:
            add(
                false, "engine-old", "the work server's schema is \(found)",
                "upgrade it to \(WorkServerSchema.present.version)")
        case let found? where found > WorkServerSchema.present.version:
            add(
                false, "engine-newer", "the work server's schema is \(found)",
                "install a later version of this program")
        default: break
        }
        if roles.isEmpty {
            add(
                true, "engine-not-allowed", "login \(login) has no role of the work server",
                "grant it beacon_dfu_station")
        }
        if isOwnerTheServers == true {
            add(
                false, "engine-owner-powerful",
                "the owner of the work server's schema can run programs on the database server",
                "let a login own the schema that has only CREATE on its database (docs/stations.md): pg_dump the database, and restore it with pg_restore as that login, without the old owner"
            )
        }
        if fsync != "on" || synchronousCommit == "off" {
            add(
                false, "engine-forgetful", "fsync is \(fsync), synchronous_commit is \(synchronousCommit)",
                "set both to on: otherwise the server may lose results that it has acknowledged")
        }
        if isSessionOurs == false {
            add(
                false, "engine-pooled",
                "a connection pool assigns servers by transaction: notifications do not arrive",
                "set pool_mode=session, or connect to the server directly; stations also poll")
        }
        if mostConnections - presentConnections < 10 {
            add(
                false, "engine-crowded", "\(presentConnections) of \(mostConnections) connections are in use",
                "raise max_connections")
        }
        if clockAhead >= .seconds(60) || clockAhead <= .seconds(-60) {
            add(
                false, "clock-skew", "this machine's clock is \(clockAhead) ahead of the server's",
                "synchronise both with one time server; leases do not depend on it, but times in reports do")
        }
        return flaws
    }
}
