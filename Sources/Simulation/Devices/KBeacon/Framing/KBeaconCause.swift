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
