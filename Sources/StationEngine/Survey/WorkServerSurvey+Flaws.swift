extension WorkServerSurvey {
    /// Something about the engine's server that a person should know.
    public struct Flaw: Hashable, Sendable {
        /// Whether stations get no work because of it.
        public let isFatal: Bool
        /// Its stable code.
        public let code: String
        /// What was seen.
        public let message: String
        /// What a person can do.
        public let nextStep: String
    }

    /// The oldest server whose SQL the engine speaks.
    public static let leastServer = 15

    /// What is wrong, the worst first.
    public var flaws: [Flaw] {
        var flaws: [Flaw] = []
        func add(_ isFatal: Bool, _ code: String, _ message: String, _ nextStep: String) {
            flaws.append(Flaw(isFatal: isFatal, code: code, message: message, nextStep: nextStep))
        }
        if serverVersion / 10_000 < Self.leastServer {
            add(
                true, "engine-server-old", "the server is PostgreSQL \(serverVersion / 10_000)",
                "use 15 or later")
        }
        if isStandby || isReadOnly {
            add(
                true, "engine-read-only", "the server takes no changes",
                "connect to the primary, or promote this one")
        }
        switch schema {
        case nil:
            add(
                true, "engine-schema", "login \(login) sees no engine in this database",
                "prepare the database, or grant the login a role")
        case let found? where found < WorkServerSchema.present.version:
            add(
                false, "engine-old", "the engine's schema is \(found)",
                "upgrade it to \(WorkServerSchema.present.version)")
        case let found? where found > WorkServerSchema.present.version:
            add(
                false, "engine-newer", "the engine's schema is \(found)",
                "install a later version of this program")
        default: break
        }
        if roles.isEmpty {
            add(
                true, "engine-not-allowed", "login \(login) has no role of the engine",
                "grant it beacon_dfu_station")
        }
        if isOwnerTheServers == true {
            add(
                false, "engine-owner-powerful",
                "the engine's owner has rights that let it run programs on the database server",
                "let a login own the engine that has CREATE on its database and nothing else (docs/stations.md): pg_dump the database, and have pg_restore make it again as that login, without the old owner"
            )
        }
        if fsync != "on" || synchronousCommit == "off" {
            add(
                false, "engine-forgetful", "fsync is \(fsync), synchronous_commit is \(synchronousCommit)",
                "set both to on: else the server may lose results that it has acknowledged")
        }
        if isSessionOurs == false {
            add(
                false, "engine-pooled", "a pool hands out servers by the transaction: hints do not come",
                "set pool_mode=session, or connect to the server itself; stations ask now and then as well")
        }
        if mostConnections - presentConnections < 10 {
            add(
                false, "engine-crowded", "\(presentConnections) of \(mostConnections) connections are taken",
                "raise max_connections")
        }
        if clockAhead >= .seconds(60) || clockAhead <= .seconds(-60) {
            add(
                false, "clock-skew", "this machine's clock is \(clockAhead) ahead of the server's",
                "let both follow one time server; leases do not depend on it, times in reports do")
        }
        return flaws
    }
}
