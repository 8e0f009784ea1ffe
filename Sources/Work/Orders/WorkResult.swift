package import Tray
package import UpdateModel

/// The result of a unit, as a station delivers it.
package struct WorkResult: Hashable, Sendable {
    /// Its key: a UUID in lower case, the same however often it is sent.
    package var id: String
    /// From 1 in each journal of a station, without gaps.
    package var sequence: Int64
    /// The claim under which it was made; nil for a unit without one.
    package var claim: WorkClaim?
    /// The order's number; nil for a run without one.
    package var order: String?
    /// The unit's key; its address if there is no claim.
    package var key: String
    package var outcome: Outcome
    package var code: String?
    /// The full result: a JSON object.
    package var body: String
    /// The SHA-256 of the body's UTF-8, in lower-case hexadecimal.
    package var sha256: String
    /// When it ended, by the station's wall clock.
    package var observed: RecordedTime

    package init(
        id: String, sequence: Int64, claim: WorkClaim?, order: String?, key: String, outcome: Outcome,
        code: String? = nil, body: String, sha256: String, observed: RecordedTime
    ) {
        (self.id, self.sequence, self.claim, self.order, self.key) = (id, sequence, claim, order, key)
        (self.outcome, self.code, self.body, self.sha256) = (outcome, code, body, sha256)
        self.observed = observed
    }
}

package enum DeliveryAnswer: Hashable, Sendable {
    case stored(Status)
    /// It was already stored, with the same content.
    case duplicate(Status)
    /// It will never be stored: the reason. The station sets it aside and continues with the others.
    case refused(code: FailureCode, message: String)
}

package enum Status: String, CaseIterable, Codable, Sendable {
    /// It belongs to the latest claim of its unit, and has changed the unit's state.
    case current
    /// A later claim exists: it is stored and shown, without effect.
    case late
    /// The work server does not know its unit or order: it is stored and shown.
    case unplanned
}
