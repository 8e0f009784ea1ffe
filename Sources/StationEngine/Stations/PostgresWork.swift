import Postgres
import Synchronization
import Tray
public import WorkOrders

/// Work from an engine in a PostgreSQL database, which several benches share. (docs/formats/station-engine.md)
///
/// No call takes longer than the session's patience, and none needs the one before to have come through.
public final class PostgresWork: WorkSource {
    let session: WorkServerSession
    private let identity = Mutex<StationIdentity?>(nil)

    /// Work over `session`.
    public init(over session: WorkServerSession) { self.session = session }

    /// Ends the connection.
    public func close() async { await session.close() }

    /// Who has greeted.
    func station(_ during: String) throws(WorkError) -> StationIdentity {
        guard let station = identity.withLock({ $0 }) else {
            throw WorkError(
                .unready, "station-not-greeted", during: during, message: "the engine has not been greeted",
                nextStep: "greet the engine first")
        }
        return station
    }

    /// Says who the station is; the engine binds its name to the login of the first greeting.
    public func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply {
        let during = "greeting the engine"
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

/// What `body` reads of an answer; an answer that is another than was asked for is told as such.
func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(WorkError) -> Value {
    do throws(PostgresError) { return try body() } catch { throw WorkError(error) }
}

extension PostgresRows {
    /// The row of an answer that has one.
    func only(_ during: String) throws(PostgresError) -> PostgresRow {
        guard count == 1 else {
            throw PostgresError(.answer("\(count) rows and not one"), during: during)
        }
        return self[0]
    }
}
