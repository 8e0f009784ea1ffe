package import Tray
package import UpdateModel

package struct WorkResult: Hashable, Sendable {
    /// The key of the result: a UUID in lower case, the same however often the result is sent.
    package var id: String
    /// The number of the result in the station's journal: from 1, without gaps (`OutboxRow.number`).
    package var sequence: Int64
    /// The claim under which the unit was updated; nil for a unit without a claim.
    package var claim: WorkClaim?
    /// The order's number; nil for a run without an order.
    package var order: String?
    /// The unit's key in the order; without a claim, its address or selector.
    package var key: String
    package var outcome: UnitOutcome
    package var code: String?
    /// The full result: a JSON object.
    package var body: String
    /// The SHA-256 of the body's UTF-8, in lower-case hexadecimal.
    package var sha256: String
    /// When the result was recorded, by the station's wall clock.
    package var observed: RecordedTime

    package init(
        id: String, sequence: Int64, claim: WorkClaim?, order: String?, key: String, outcome: UnitOutcome,
        code: String? = nil, body: String, sha256: String, observed: RecordedTime
    ) {
        (self.id, self.sequence, self.claim, self.order, self.key) = (id, sequence, claim, order, key)
        (self.outcome, self.code, self.body, self.sha256) = (outcome, code, body, sha256)
        self.observed = observed
    }
}

package enum DeliveryAnswer: Hashable, Sendable {
    case stored(ResultStanding)
    /// The result was already stored, with the same content.
    case duplicate(ResultStanding)
    /// The result will never be stored, for this reason. The station sets it aside and continues with the others.
    case refused(code: FailureCode, message: String)
}

package enum ResultStanding: String, CaseIterable, Codable, Sendable {
    /// The result belongs to the latest claim of its unit, and counts for the unit's state.
    case current
    /// The unit has a later claim: the result is stored and shown, without effect.
    case late
    /// The work server does not know the unit or the order: the result is stored and shown, without effect.
    case unplanned
}
