/// The style of a KBeacon's handshake (kbeacon.md, Handshake).
public struct KBeaconHandshakeStyle: Hashable, Sendable {
    /// The largest MTU that it agrees on.
    public var maximumMTU = 247
    /// Whether its digests are folded to 8 bytes even if 16 would fit.
    public var foldsDigests = false
    /// Whether the last step contains the largest MTU; without it, no write may exceed 20 bytes.
    public var tellsMTU = true
    /// The low half of the first byte of its steps, which has no meaning.
    public var tag: UInt8 = 3

    /// The style of a recent beacon.
    public init() {}
}

/// The style of a KBeacon's acknowledgements and responses (kbeacon.md, Acks).
public struct KBeaconAnswerStyle: Hashable, Sendable {
    /// Where a response is sent.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        /// In the acknowledgement, if it fits; otherwise as `split`.
        case inline
        case report
        /// The first piece in the acknowledgement, the others in reports.
        case split
        /// In reports, with records in several frames; in a single frame in the first generation, and for anything but
        /// records.
        case frames
    }

    /// When the cause that ends reports is sent.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// Some time after the last piece.
        case late
        /// Together with the last piece.
        case atOnce = "at_once"
        /// Before the last piece: a fault.
        case early
        /// Never: a fault.
        case never
    }

    /// The length of a response with values.
    public enum Length: Hashable, Sendable {
        /// The length of its content.
        case plain
        /// This many additional bytes.
        case longer(Int)
        /// It never ends.
        case endless
    }

    /// Where a JSON response is sent.
    public var shape = Shape.inline
    /// Where a binary response is sent. With `frames`, the summary of records is still in an acknowledgement.
    public var records = Shape.frames
    /// The maximum number of records in a frame, if there are several frames.
    public var recordsInFrame = 4
    /// When the cause that ends reports is sent.
    public var ending = Ending.late
    /// The time between the last piece and a late cause.
    public var endingDelay = Duration.milliseconds(100)
    /// Whether the second generation's binary responses end with cause 0, instead of 6.
    public var endsWithDone = false
    /// The longest piece of a response in bytes; nil for what the MTU allows.
    public var pieceSize: Int?
    /// Whether it waits for the acknowledgement of a piece before it sends the next one.
    public var waits = true
    /// The window in the acknowledgements that request more.
    public var window: UInt16 = 1000
    /// The length of a response.
    public var length = Length.plain
    /// The number of acknowledgements with cause 7 before a response.
    public var moreFrames = 0
    /// The time between these acknowledgements.
    public var executionTime = Duration.seconds(1)
    /// The number of reports with log text before a response.
    public var logs = 0
    /// The time from a write to its response.
    public var delay = Duration.milliseconds(5)

    /// The style of a recent beacon.
    public init() {}
}
