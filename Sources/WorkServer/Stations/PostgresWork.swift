import Synchronization
import Tray
public import Work

/// Work from a work server, a PostgreSQL database that several benches share. (docs/formats/station-engine.md)
///
/// No call takes longer than the session's timeout, and none depends on the success of an earlier one.
public final class PostgresWork: WorkSource {
    let session: WorkServerSession
    private let identity = Mutex<StationIdentity?>(nil)

    /// Work over `session`.
    public init(over session: WorkServerSession) { self.session = session }

    /// Ends the connection.
    public func close() async { await session.close() }

    /// The station that has sent a heartbeat.
    func station(_ during: String) throws(WorkError) -> StationIdentity {
        guard let station = identity.withLock({ $0 }) else {
            throw WorkError(
                .unready, "station-not-greeted", during: during,
                message: "the work server has received no heartbeat yet",
                nextStep: "send a heartbeat first")
        }
        return station
    }

    /// Sends the station's heartbeat; the work server binds the station's name to the login of the first one.
    public func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply {
        let during = "sending a heartbeat"
        let rows = try await session.run(
            """
            SELECT contiguous, clock_ahead_ms, claim_code, claim_message, claim_hint
            FROM beacon_dfu.greet($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .integer(Int64(WorkServerSchema.spokenProtocol)), .text(report.station.name),
                .text(report.station.incarnation), .text(report.station.machine), .text(report.program),
                .integer(report.lastSequence), .integer(Int64(report.waiting)),
                .integer(report.oldestWaiting?.milliseconds), .integer(report.catalogue),
                .text(report.details),
                .integer(report.clock.milliseconds),
            ], during: during)
        let heartbeatReply = try reading { () throws(PostgresError) in
            let row = try rows.only(during)
            let flaw = try row.textIfAny("claim_code").map { code throws(PostgresError) in
                WorkError(
                    .refused, code, during: during, message: try row.textIfAny("claim_message") ?? code,
                    nextStep: try row.textIfAny("claim_hint"))
            }
            return HeartbeatReply(
                contiguous: try row.integer("contiguous"),
                clockAhead: .milliseconds(try row.integer("clock_ahead_ms")), mayNotClaim: flaw)
        }
        identity.withLock { $0 = report.station }
        return heartbeatReply
    }
}

/// Reads an answer with `body`; translates an unexpected answer into a `WorkError`.
func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(WorkError) -> Value {
    do throws(PostgresError) { return try body() } catch { throw WorkError(error) }
}

extension PostgresRows {
    /// The only row of an answer.
    func only(_ during: String) throws(PostgresError) -> PostgresRow {
        guard count == 1 else {
            throw PostgresError(.answer("\(count) rows instead of one"), during: during)
        }
        return self[0]
    }
}
