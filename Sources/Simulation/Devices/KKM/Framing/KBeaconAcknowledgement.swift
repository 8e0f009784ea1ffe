import Bytes

/// An acknowledgement, in either direction (kbeacon.md, Acks).
///
///     0  1  type of what is acknowledged << 4 | 3
///     1  2  bytes received, which is the offset of the next piece, big-endian
///     3  2  window, big-endian
///     5  2  cause, big-endian
///     7  -  from a device: the response, or its first piece
struct KBeaconAcknowledgement: Hashable, Sendable {
    static let headerLength = 7

    let content: KBeaconPiece.Content
    let offset: Int
    let window: UInt16
    let cause: KBeaconCause
    let answer: [UInt8]

    init(
        of content: KBeaconPiece.Content, _ cause: KBeaconCause, offset: Int = 0, window: UInt16 = 0,
        answer: [UInt8] = []
    ) {
        self.content = content
        self.offset = offset
        self.window = window
        self.cause = cause
        self.answer = answer
    }

    /// The acknowledgement of a report in a client's write; nil if it is none.
    init?(_ value: [UInt8]) {
        guard value.count == Self.headerLength, value[0] & 0x0F == 3,
            let content = KBeaconPiece.Content(rawValue: value[0] >> 4),
            content == .jsonReport || content == .binaryReport
        else { return nil }
        func word(_ place: Int) -> UInt16 { UInt16(value[place]) << 8 | UInt16(value[place + 1]) }
        self.init(
            of: content, KBeaconCause(rawValue: word(5)), offset: Int(word(1)), window: word(3))
    }

    /// The encoded acknowledgement.
    var value: [UInt8] {
        [content.rawValue << 4 | 3] + [UInt8](UInt16(truncatingIfNeeded: offset)) + [UInt8](window)
            + [UInt8](cause.rawValue) + answer
    }
}

/// Why an acknowledgement is sent (kbeacon.md, Acks, Refusals).
struct KBeaconCause: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    /// Everything is done.
    static let done = KBeaconCause(rawValue: 0)
    /// From a client: the sequence is wrong.
    static let wrongSequence = KBeaconCause(rawValue: 1)
    /// The piece at this offset is expected next.
    static let more = KBeaconCause(rawValue: 4)
    /// The command was received.
    static let received = KBeaconCause(rawValue: 5)
    /// The command is done, after reports. Only binary responses of the second generation end with it.
    static let complete = KBeaconCause(rawValue: 6)
    /// More frames follow.
    static let moreFrames = KBeaconCause(rawValue: 7)
    static let parameterInvalid = KBeaconCause(rawValue: 0x0103)
    static let featureMissing = KBeaconCause(rawValue: 0x0104)
    static let notUnderstood = KBeaconCause(rawValue: 0x0105)
    static let parameterMissing = KBeaconCause(rawValue: 0x0106)
    static let slotMissing = KBeaconCause(rawValue: 0x0108)
    static let slotInUse = KBeaconCause(rawValue: 0x0109)
    static let advertTwice = KBeaconCause(rawValue: 0x010A)
    static let triggerTwice = KBeaconCause(rawValue: 0x010B)
    static let busy = KBeaconCause(rawValue: 0x010C)
    static let triggerMissing = KBeaconCause(rawValue: 0x0117)
    static let sensorMissing = KBeaconCause(rawValue: 0x0118)
    static let messageUnknown = KBeaconCause(rawValue: 0x0119)
}

/// The reason that a command is refused.
struct KBeaconRefusal: Error, Hashable {
    let cause: KBeaconCause

    init(_ cause: KBeaconCause) { self.cause = cause }
}
