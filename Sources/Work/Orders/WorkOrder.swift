package import Tray
package import UpdateModel

/// An order as a station receives it with its claims.
package struct WorkOrder: Hashable, Sendable {
    package var number: String
    package var state: OrderState
    package var heldReason: String?
    /// The number of units that the order has to reach; nil if there is no such number.
    package var expected: Int?
    package var firmware: WorkFirmware

    package init(
        number: String, state: OrderState, heldReason: String? = nil, expected: Int? = nil,
        firmware: WorkFirmware
    ) {
        (self.number, self.state, self.heldReason, self.expected) = (number, state, heldReason, expected)
        self.firmware = firmware
    }
}

package enum WorkFirmware: Hashable, Sendable {
    /// One package for all units, stored on the work server: its file name for display, and its SHA-256 in lower-case
    /// hexadecimal.
    case file(name: String, sha256: String)
    /// The package that this version of the published catalogue chooses for each unit. `withBeta`: also from the
    /// channel beta, not only from releases.
    case catalogue(version: Int64, withBeta: Bool)
    /// The firmware of the station's own tray file.
    case ofTray
}

package enum OrderState: String, CaseIterable, Codable, Sendable {
    /// The order is being prepared: no unit starts.
    case draft
    /// Only golden units start, until enough of them have passed.
    case golden
    case open
    /// No further unit starts until an approver releases it; units at work continue.
    case held
    case done
    /// The order was cancelled. Units at work continue to their end.
    case cancelled
}

/// A published catalogue: the paths and hashes of all its files.
package struct PublishedCatalogue: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// The file's path in the catalogue's folder, with `/` as separator and no part `.` or `..`.
        package let path: String
        /// The file's SHA-256 in lower-case hexadecimal.
        package let sha256: String

        package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// The number of the catalogue: from 1, incremented with each publication.
    package var version: Int64
    package var files: [File]
    /// Why no unit may be started with this catalogue any more; nil if it was not recalled.
    package var recall: String?
    /// The reasons for which packages were recalled, by the packages' SHA-256 in lower-case hexadecimal.
    package var recalledFiles: [String: String]

    package init(
        version: Int64, files: [File], recall: String? = nil, recalledFiles: [String: String] = [:]
    ) {
        (self.version, self.files, self.recall) = (version, files, recall)
        self.recalledFiles = recalledFiles
    }
}

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
