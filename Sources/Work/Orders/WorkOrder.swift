package import Tray
package import UpdateModel

/// An order as a station receives it with its claims.
package struct WorkOrder: Hashable, Sendable {
    package var number: String
    package var state: OrderState
    package var heldReason: String?
    /// The number of units that it has to reach; nil if they are not counted.
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
    /// One package for all, stored on the work server: its file name for display, its SHA-256 in lower-case
    /// hexadecimal.
    case file(name: String, sha256: String)
    /// The choice of this version of the published catalogue, from releases only or also from the channel beta.
    case catalogue(version: Int64, withBeta: Bool)
    /// The firmware of the station's own tray file.
    case ofTray
}

package enum OrderState: String, CaseIterable, Codable, Sendable {
    /// It is being written and not yet worked on.
    case draft
    /// Only the golden units are worked on, until they have passed.
    case golden
    case open
    /// No further unit starts until an approver releases it; units at work continue.
    case held
    case done
    /// It was cancelled. Units at work continue to their end.
    case cancelled
}

/// A published catalogue: its files by name and hash, all of them or none.
package struct PublishedCatalogue: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// Its path in the catalogue's folder, with `/` as separator and no part `.` or `..`.
        package let path: String
        /// Its SHA-256 in lower-case hexadecimal.
        package let sha256: String

        package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// From 1, incremented with each publication.
    package var version: Int64
    package var files: [File]
    /// Why no unit may be started with it; nil if it was not recalled.
    package var recall: String?
    /// Recalled packages: the reason, by their SHA-256.
    package var recalledFiles: [String: String]

    package init(
        version: Int64, files: [File], recall: String? = nil, recalledFiles: [String: String] = [:]
    ) {
        (self.version, self.files, self.recall) = (version, files, recall)
        self.recalledFiles = recalledFiles
    }
}

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
