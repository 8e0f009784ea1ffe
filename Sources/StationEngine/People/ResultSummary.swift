import Postgres
public import Tray
public import WorkOrders

/// A result as it is kept, without its body.
public struct ResultSummary: Hashable, Sendable {
    /// Its place in the order in which results came.
    public let number: Int64
    /// Its id.
    public let id: String
    /// Who handed it in.
    public let station: String
    /// Its number in the station's journal.
    public let sequence: Int64
    /// The order's number; nil for none.
    public let order: String?
    /// The unit's key.
    public let key: String
    /// What it has come to.
    public let outcome: Outcome
    /// And why.
    public let code: String?
    /// What it counts for.
    public let standing: Status
    /// The label of the place, as the station says.
    public let slot: String?
    /// As the unit advertised itself.
    public let name: String?
    /// Of its last attempt: counted from 1, how long it took, and over which adapter.
    public let attempt: Int?, seconds: Double?, adapter: String?
    /// The versions before and after it.
    public let versionBefore: String?, versionAfter: String?
    /// When it ended by the station's clock, and when it came by the engine's.
    public let observed, received: RecordedTime

    static let columns =
        "number, id, station, sequence, order_number, key, outcome, code, standing, "
        + "slot, name, attempt, seconds, adapter, version_before, version_after, "
        + milliseconds("observed") + ", " + milliseconds("received")

    init(_ row: PostgresRow) throws(PostgresError) {
        number = try row.integer("number")
        id = try row.text("id")
        station = try row.text("station")
        sequence = try row.integer("sequence")
        order = try row.textIfAny("order_number")
        key = try row.text("key")
        let (outcome, standing) = (try row.text("outcome"), try row.text("standing"))
        guard let known = Outcome(rawValue: outcome), let counted = Status(rawValue: standing) else {
            throw row.flaw("a result that is '\(outcome)' and '\(standing)'")
        }
        self.outcome = known
        code = try row.textIfAny("code")
        self.standing = counted
        (slot, name) = (try row.textIfAny("slot"), try row.textIfAny("name"))
        attempt = try row.textIfAny("attempt").flatMap { Int($0) }
        seconds = try row.textIfAny("seconds").flatMap { Double($0) }.flatMap {
            (0..<1e7).contains($0) ? $0 : nil
        }
        adapter = try row.textIfAny("adapter")
        (versionBefore, versionAfter) = (
            try row.textIfAny("version_before"), try row.textIfAny("version_after")
        )
        observed = try row.time("observed")
        received = try row.time("received")
    }
}
