import Work

extension WorkError {
    /// SQLSTATEs of the work server's functions (docs/formats/station-engine.md): the stable code is in the field
    /// `constraint`.
    enum WorkServerState {
        static let refused = "BD001"
        static let notGreeted = "BD002"
        static let putOff = "BD003"
    }

    /// Translates `error` for work sources.
    init(_ error: PostgresError) {
        let (kind, code, step) = Self.meaning(of: error)
        self.init(kind, code, during: error.during, message: error.cause, nextStep: step)
    }

    private static func meaning(of error: PostgresError) -> (Kind, code: String, nextStep: String?) {
        switch error.problem {
        case .settings: (.refused, "engine-settings", "check the connection string")
        case .password:
            (.refused, "engine-password-missing", "write the login's password to ~/.pgpass (mode 0600)")
        case .certificate:
            (
                .refused, "engine-certificate",
                "check ~/.postgresql/root.crt on this machine, sslmode in the connection string, and the server's certificate"
            )
        case .deadline, .cancelled: (.unreachable, "engine-unreachable", nil)
        case .answer:
            (.notUnderstood, "engine-answer", "check that this database is the work server's")
        case .connection(_, nil):
            (.unreachable, "engine-unreachable", "check that the server is running and reachable")
        case .connection(_, let sqlstate?): meaning(of: sqlstate, nil)
        case .server(let message): meaning(of: message.sqlstate, message)
        }
    }

    /// By PostgreSQL's codes (Appendix A), whose first two characters are a class.
    private static func meaning(
        of sqlstate: String, _ message: ServerMessage?
    ) -> (Kind, code: String, nextStep: String?) {
        let code = message?.constraint
        switch (sqlstate, sqlstate.prefix(2)) {
        case (WorkServerState.refused, _): return (.refused, code ?? "engine-refused", message?.hint)
        case (WorkServerState.notGreeted, _):
            return (.unready, code ?? "station-not-greeted", "send a heartbeat to the work server first")
        case (WorkServerState.putOff, _): return (.unready, code ?? "engine-unready", message?.hint)
        case ("25006", _):
            return (.unready, "engine-read-only", "this is a standby, or the server was set read-only")
        case ("53100", _): return (.unready, "engine-disk-full", "free disk space on the server")
        case ("53300", _):
            return (.unready, "engine-no-connection-free", "check max_connections of the server")
        case ("57014", _), ("55P03", _), (_, "40"): return (.unready, "engine-busy", nil)
        case (_, "53"), (_, "58"), (_, "XX"): return (.unready, "engine-unready", "check the server's log")
        case (_, "08"), (_, "57"): return (.unreachable, "engine-unreachable", nil)
        case (_, "28"):
            return (.refused, "engine-login-refused", "check user, ~/.pgpass, and pg_hba.conf of the server")
        case ("3D000", _):
            return (.refused, "engine-database-unknown", "check dbname in the connection string")
        case ("42501", _):
            return (.refused, "engine-not-allowed", WorkServerRights.nextStep(after: message?.message ?? ""))
        case ("3F000", _), ("42883", _), ("42P01", _), ("42703", _):
            return (.refused, "engine-schema", "prepare the database, or upgrade its schema")
        default: return (.refused, "engine-failed", message?.hint ?? "check the server's log")
        }
    }
}

extension PostgresError {
    /// Whether the same statement may succeed at once: it collided with another, or the session had already ended.
    func mayPassAtOnce(onOldSession isOld: Bool) -> Bool {
        switch problem {
        case .connection: isOld
        case .server(let message):
            message.sqlstate.hasPrefix("40") || isOld && message.sqlstate.hasPrefix("57P0")
        case .settings, .password, .certificate, .deadline, .cancelled, .answer: false
        }
    }
}
