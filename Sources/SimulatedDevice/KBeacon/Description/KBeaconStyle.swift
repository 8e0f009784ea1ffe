/// How a KBeacon's handshake goes (kbeacon.md, Handshake).
public struct KBeaconHandshakeStyle: Hashable, Sendable {
    /// The largest MTU that it takes.
    public var maximumMTU = 247
    /// Whether its digests are folded to 8 bytes even where 16 would fit.
    public var foldsDigests = false
    /// Whether the last step says the largest MTU; where it does not, no write may have more than 20 bytes.
    public var tellsMTU = true
    /// The low half of the first byte of its steps, which has no meaning.
    public var tag: UInt8 = 3

    /// That of a recent beacon.
    public init() {}
}

/// How a KBeacon's acknowledgements and answers go (kbeacon.md, Acks).
public struct KBeaconAnswerStyle: Hashable, Sendable {
    /// Where an answer stands.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        /// In the acknowledgement, where it fits; otherwise as `split`.
        case inline
        /// In reports.
        case report
        /// Its first piece in the acknowledgement, the others in reports.
        case split
        /// In reports, and records in several frames; in the first generation, and where there are no records, in one.
        case frames
    }

    /// When the cause that follows reports comes.
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

    /// How long an answer with values is.
    public enum Length: Hashable, Sendable {
        /// As long as what it says.
        case plain
        /// So many bytes more.
        case longer(Int)
        /// It never ends.
        case endless
    }

    /// Where an answer in JSON stands.
    public var shape = Shape.inline
    /// Where an answer in binary stands. The summary of records is in an acknowledgement with `frames`, too.
    public var records = Shape.frames
    /// The most records of a frame, where there are several.
    public var recordsInFrame = 4
    /// When the cause comes that follows reports.
    public var ending = Ending.late
    /// How much later that is than the last piece, where it comes late.
    public var endingDelay = Duration.milliseconds(100)
    /// Whether the second generation's binary answers end with cause 0, in place of 6.
    public var endsWithDone = false
    /// The most bytes of an answer in one piece; nil for what the MTU allows.
    public var pieceSize: Int?
    /// Whether it waits for the acknowledgement of a piece before it sends the next.
    public var waits = true
    /// The window in the acknowledgements that ask for more.
    public var window: UInt16 = 1000
    /// How long an answer is.
    public var length = Length.plain
    /// How many acknowledgements with cause 7 go before an answer.
    public var moreFrames = 0
    /// How long each of them takes.
    public var executionTime = Duration.seconds(1)
    /// How many reports with log text go before an answer.
    public var logs = 0
    /// From a write to what it is answered with.
    public var delay = Duration.milliseconds(5)

    /// That of a recent beacon.
    public init() {}
}
