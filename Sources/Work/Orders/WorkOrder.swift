/// An order as a station receives it with its claims.
package struct WorkOrder: Hashable, Sendable {
    /// Its number.
    package var number: String
    /// Its state.
    package var state: OrderState
    /// Why it is held; nil if it is not.
    package var heldReason: String?
    /// The number of units that it has to reach; nil if they are not counted.
    package var expected: Int?
    /// The firmware of its units.
    package var firmware: WorkFirmware

    /// Creates an order with these values.
    package init(
        number: String, state: OrderState, heldReason: String? = nil, expected: Int? = nil,
        firmware: WorkFirmware
    ) {
        self.number = number
        self.state = state
        self.heldReason = heldReason
        self.expected = expected
        self.firmware = firmware
    }
}

/// The firmware of an order's units.
package enum WorkFirmware: Hashable, Sendable {
    /// One package for all, stored on the work server: its file name for display, its SHA-256 in lower-case
    /// hexadecimal.
    case file(name: String, sha256: String)
    /// The choice of this version of the published catalogue, from releases only or also from the channel beta.
    case catalogue(version: Int64, withBeta: Bool)
    /// The firmware of the station's own tray file.
    case ofTray
}

/// The state of a work order.
package enum OrderState: String, CaseIterable, Codable, Sendable {
    /// It is being written and not yet worked on.
    case draft
    /// Only the golden units are worked on, until they have passed.
    case golden
    /// Its units are worked on.
    case open
    /// No further unit starts until an approver releases it; units at work continue.
    case held
    /// Every unit is on its firmware.
    case done
    /// It was cancelled. Units at work continue to their end.
    case cancelled
}
