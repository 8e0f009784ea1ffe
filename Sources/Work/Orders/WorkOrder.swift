/// An order as a station receives it with its claims.
package struct WorkOrder: Hashable, Sendable {
    package var number: String
    package var state: OrderState
    /// Why it is held; nil if it is not.
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
