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
