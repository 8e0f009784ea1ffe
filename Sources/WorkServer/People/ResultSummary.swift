package import Tray
package import UpdateModel
package import Work

/// A stored result without its body.
package struct ResultSummary: Hashable, Sendable {
    /// The work server's number of the result, in the order of arrival.
    package let number: Int64
    package let id, station: String
    /// The result's number in the station's journal.
    package let sequence: Int64
    package let order: String?
    package let key: String
    package let outcome: UnitOutcome
    package let code: String?
    package let standing: ResultStanding
    /// The label of the slot, as reported by the station.
    package let slot: String?
    package let name: String?
    /// The last attempt: its number from 1, its duration in seconds, and its adapter.
    package let attempt: Int?, seconds: Double?, adapter: String?
    package let versionBefore: String?, versionAfter: String?
    /// The cause and the advice, as reported by the station, cut to 255 characters.
    package let message: String?, nextStep: String?
    /// When the result was recorded, by the station's clock; and when it was received, by the work server's clock.
    package let observed, received: RecordedTime

    static let columns =
        "number, id, station, sequence, order_number, key, outcome, code, standing, "
        + "slot, name, attempt, seconds, adapter, version_before, version_after, message, next_step, "
        + milliseconds("observed") + ", " + milliseconds("received")

    init(_ row: PostgresRow) throws(PostgresError) {
        number = try row.integer("number")
        id = try row.text("id")
        station = try row.text("station")
        sequence = try row.integer("sequence")
        order = try row.textIfAny("order_number")
        key = try row.text("key")
        outcome = try row.enumeration("outcome", "outcome")
        code = try row.textIfAny("code")
        standing = try row.enumeration("standing", "standing")
        (slot, name) = (try row.textIfAny("slot"), try row.textIfAny("name"))
        attempt = try row.textIfAny("attempt").flatMap { Int($0) }
        seconds = try row.textIfAny("seconds").flatMap { Double($0) }.flatMap {
            (0..<1e7).contains($0) ? $0 : nil
        }
        adapter = try row.textIfAny("adapter")
        (versionBefore, versionAfter) = (
            try row.textIfAny("version_before"), try row.textIfAny("version_after")
        )
        (message, nextStep) = (try row.textIfAny("message"), try row.textIfAny("next_step"))
        observed = try row.time("observed")
        received = try row.time("received")
    }
}
