/// The style of a KBeacon's handshake (kbeacon.md, Handshake).
package struct KBeaconHandshakeStyle: Hashable, Sendable {
    package var maximumMTU = 247
    /// Whether its digests are folded to 8 bytes even if 16 would fit.
    package var foldsDigests = false
    /// Whether the last step contains the largest MTU; without it, no write may exceed 20 bytes.
    package var tellsMTU = true
    /// The low half of the first byte of its steps, which has no meaning.
    package var tag: UInt8 = 3

    package init() {}
}

/// The style of a KBeacon's acknowledgements and responses (kbeacon.md, Acks).
package struct KBeaconAnswerStyle: Hashable, Sendable {
    package enum Shape: String, Hashable, Sendable, CaseIterable {
        /// In the acknowledgement, if it fits; otherwise as `split`.
        case inline
        case report
        /// The first piece in the acknowledgement, the others in reports.
        case split
        /// In reports, with records in several frames; in a single frame in the first generation, and for anything but
        /// records.
        case frames
    }

    package enum Ending: String, Hashable, Sendable, CaseIterable {
        case late
        case atOnce = "at_once"
        case early
        case never
    }

    package enum Length: Hashable, Sendable {
        case plain
        case longer(Int)
        case endless
    }

    package var shape = Shape.inline
    /// Where a binary response is sent. With `frames`, the summary of records is still in an acknowledgement.
    package var records = Shape.frames
    /// The maximum number of records in a frame, if there are several frames.
    package var recordsInFrame = 4
    package var ending = Ending.late
    package var endingDelay = Duration.milliseconds(100)
    /// Whether the second generation's binary responses end with cause 0, instead of 6.
    package var endsWithDone = false
    /// The longest piece of a response in bytes; nil for what the MTU allows.
    package var pieceSize: Int?
    /// Whether it waits for the acknowledgement of a piece before it sends the next one.
    package var waits = true
    /// The window in the acknowledgements that request more.
    package var window: UInt16 = 1000
    package var length = Length.plain
    package var moreFrames = 0
    package var executionTime = Duration.seconds(1)
    package var logs = 0
    package var delay = Duration.milliseconds(5)

    package init() {}
}
