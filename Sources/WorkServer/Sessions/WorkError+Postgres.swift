import UpdateModel
import Work

extension WorkError {
    init(_ error: PostgresError) {
        let (kind, code, step) = Self.meaning(of: error)
        self.init(kind, code, during: error.during, message: error.cause, nextStep: step)
    }

    private static func meaning(of error: PostgresError) -> (Kind, code: FailureCode, nextStep: String?) {
        switch error.problem {
        case .settings: (.refused, .workServer.settings, "check the connection string")
        case .password:
            (.refused, .workServer.passwordMissing, "write the login's password to ~/.pgpass (mode 0600)")
        case .certificate:
            (
                .refused, .workServer.certificate,
                "check ~/.postgresql/root.crt on this machine, sslmode in the connection string, and the server's certificate"
            )
        case .deadline, .cancelled: (.unreachable, .workServer.unreachable, nil)
        case .answer: (.notUnderstood, .workServer.answer, "check that this database is the work server's")
        case .connection(_, nil):
            (.unreachable, .workServer.unreachable, "check that the server is running and reachable")
        case .connection(_, let sqlstate?): meaning(of: sqlstate, nil)
        case .server(let message): meaning(of: message.sqlstate, message)
        }
    }

    /// Translates PostgreSQL's codes (Appendix A), whose first two characters are a class, and those of the work
    /// server's functions (docs/formats/station-engine.md): BD001 refused, BD002 no heartbeat yet, BD003 not now. The
    /// latter have this program's code in the field `constraint`.
    private static func meaning(
        of sqlstate: String, _ message: ServerMessage?
    ) -> (Kind, code: FailureCode, nextStep: String?) {
        let code = (message?.constraint).map(FailureCode.init(named:))
        return switch (sqlstate, sqlstate.prefix(2)) {
        case ("BD001", _): (.refused, code ?? .workServer.refused, message?.hint)
        case ("BD002", _):
            (.unready, code ?? .workServer.stationNotGreeted, "send a heartbeat to the work server first")
        case ("BD003", _): (.unready, code ?? .workServer.unready, message?.hint)
        case ("25006", _):
            (.unready, .workServer.readOnly, "this is a standby, or the server was set read-only")
        case ("53100", _): (.unready, .workServer.diskFull, "free disk space on the server")
        case ("53300", _): (.unready, .workServer.noConnectionFree, "check max_connections of the server")
        case ("57014", _), ("55P03", _), (_, "40"): (.unready, .workServer.busy, nil)
        case (_, "53"), (_, "58"), (_, "XX"): (.unready, .workServer.unready, "check the server's log")
        case (_, "08"), (_, "57"): (.unreachable, .workServer.unreachable, nil)
        case (_, "28"):
            (.refused, .workServer.loginRefused, "check user, ~/.pgpass, and pg_hba.conf of the server")
        case ("3D000", _): (.refused, .workServer.databaseUnknown, "check dbname in the connection string")
        case ("42501", _):
            (.refused, .workServer.notAllowed, WorkServerRights.nextStep(after: message?.message ?? ""))
        case ("3F000", _), ("42883", _), ("42P01", _), ("42703", _):
            (.refused, .workServer.schema, "prepare the database, or upgrade its schema")
        default: (.refused, .workServer.failed, message?.hint ?? "check the server's log")
        }
    }
}

extension PostgresError {
    /// Whether the same statement may succeed at once: it collided with another one, or the session had ended before
    /// it. `isOld`: whether the session existed before the call.
    func isRetryable(onOldSession isOld: Bool) -> Bool {
        switch problem {
        case .connection: isOld
        case .server(let message):
            message.sqlstate.hasPrefix("40") || isOld && message.sqlstate.hasPrefix("57P0")
        case .settings, .password, .certificate, .deadline, .cancelled, .answer: false
        }
    }
}

/// Reads an answer with `body`; translates an unexpected answer into a `WorkError`.
func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(WorkError) -> Value {
    do throws(PostgresError) { return try body() } catch { throw WorkError(error) }
}
