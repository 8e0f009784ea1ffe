import Bytes
import UpdateModel

/// The meaning of an ack (kbeacon.md, Acks, Refusals).
struct KBeaconCause: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let done = KBeaconCause(rawValue: 0)
    /// From us: the packet is not the next one, which begins at the ack's offset.
    static let outOfSequence = KBeaconCause(rawValue: 1)
    /// The packet at the ack's offset is requested.
    static let next = KBeaconCause(rawValue: 4)
    /// The command was received and is being carried out.
    static let executing = KBeaconCause(rawValue: 5)
    /// The command is complete, and all of its reports were sent.
    static let complete = KBeaconCause(rawValue: 6)
    /// More will follow: the time for the command restarts.
    static let more = KBeaconCause(rawValue: 7)

    /// The refusals of second-generation beacons.
    private static let words: [UInt16: String] = [
        0x0102: "authentication is not supported",
        0x0103: "a parameter is not valid",
        0x0104: "the feature is not supported",
        0x0105: "the message could not be parsed",
        0x0106: "a parameter is missing",
        0x0107: "it could not be carried out",
        0x0108: "there is no such slot",
        0x0109: "the slot is used by a trigger",
        0x010A: "there may be only one slot of this kind",
        0x010B: "there may be only one such trigger",
        0x010C: "the beacon is busy",
        0x0116: "the sensor cannot be enabled",
        0x0117: "the trigger is not supported",
        0x0118: "the sensor is not supported",
        0x0119: "the message is unknown",
    ]

    /// The failure for this refusal.
    func failure(during step: String) -> SessionFailure {
        let code: SessionFailure.Code =
            switch rawValue {
            case 0x010C: .beaconBusy
            case 0x0104, 0x0117, 0x0118, 0x0119: .notSupported
            default: .refused
            }
        let number = "cause 0x" + HexText.digits(rawValue, uppercase: true)
        let words = Self.words[rawValue].map { "\($0) (\(number))" } ?? number
        return SessionFailure(code, during: step, "the beacon refuses: \(words)")
    }
}
