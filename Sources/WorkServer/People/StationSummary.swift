package import Tray

/// A station's state at its last heartbeat.
package struct StationSummary: Hashable, Sendable {
    package let name: String
    /// The login that it is bound to; nil after a request to rebind it.
    package let login: String?
    package let program: String?
    /// Why its program gets no work: a code; nil if it gets work.
    package let mayNotClaim: String?
    package let seen: RecordedTime
    /// How many results waited then.
    package let waiting: Int
    /// Since when the oldest of them waited.
    package let oldestWaiting: RecordedTime?
    /// The number of its journal's latest result then, and the number up to which the work server has all results.
    package let lastSequence, contiguous: Int64?
    package let catalogue: Int64?
    /// How far its clock was ahead of the work server's.
    package let clockAhead: Duration
    package let claims: Int
    /// How many of its results were permanently refused.
    package let refused: Int
    /// Other reported details: a JSON object.
    package let details: String
}

extension StationSummary {
    static let columns =
        "name, login, program, may_not_claim, waiting, last_sequence, contiguous, catalogue, claims, refused, details, "
        + [milliseconds("seen"), milliseconds("oldest_waiting"), milliseconds("clock_ahead")].joined(
            separator: ", ")

    init(_ row: PostgresRow) throws(PostgresError) {
        name = try row.text("name")
        login = try row.textIfAny("login")
        program = try row.textIfAny("program")
        mayNotClaim = try row.textIfAny("may_not_claim")
        seen = try row.time("seen")
        waiting = Int(clamping: try row.integerIfAny("waiting") ?? 0)
        oldestWaiting = try row.timeIfAny("oldest_waiting")
        lastSequence = try row.integerIfAny("last_sequence")
        contiguous = try row.integerIfAny("contiguous")
        catalogue = try row.integerIfAny("catalogue")
        clockAhead = .milliseconds(try row.integerIfAny("clock_ahead") ?? 0)
        claims = try row.count("claims")
        refused = try row.count("refused")
        details = try row.textIfAny("details") ?? "{}"
    }
}
