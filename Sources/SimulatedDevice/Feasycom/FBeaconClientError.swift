/// Something that a client of an FBeacon update must never do (fbeacon.md, Entering, Transfer).
public enum FBeaconClientError: String, CaseIterable, Hashable, Sendable {
    /// More in a write than the MTU leaves room for.
    case writeTooLong = "write beyond the MTU"
    /// Something that is answered while nobody listens on FFF1.
    case unsubscribed = "no notifications from FFF1"
    /// A command before the AT engine was opened.
    case commandBeforeOpening = "command before $OpenFscAtEngine$"
    /// Anything but the PIN where one is needed.
    case commandBeforePIN = "command before AT+PIN"
    /// A command that does not end.
    case endlessCommand = "command without an end"
    /// EnterDFU with neither 0 nor 1.
    case unknownDigit = "EnterDFU without 0 or 1"
    /// Bytes over the link that has to end first.
    case bytesBeforeReconnect = "bytes before the new link"
    /// A packet before the receiver has asked for one.
    case packetBeforeOpening = "packet before the opening byte"
    /// A packet before the answer to the last one.
    case packetBeforeAnswer = "packet before answer"
    /// More bytes than a packet has.
    case surplusBytes = "bytes after a packet"
    /// Bytes that begin like no packet and are no control byte.
    case foreignBytes = "neither packet nor control byte"
    /// A block number and a complement that do not belong together.
    case wrongComplement = "wrong complement"
    /// A packet with another checksum than its data.
    case wrongChecksum = "wrong checksum"
    /// Neither the next block nor the last one again.
    case wrongNumber = "wrong block number"
    /// The last block again, with other data.
    case changedRepeat = "repeated block with other data"
    /// A file's header in the stream, which carries its payload only.
    case fileHeader = "header of a file in the stream"
    /// EOT before a block was taken.
    case endWithoutData = "EOT without data"
    /// A packet after EOT.
    case packetAfterEnd = "packet after EOT"
}

extension FBeaconClientError: ClientRule {
    var broken: BrokenRule { BrokenRule("fbeacon-" + id, rawValue, in: "fbeacon.md, \(heading)") }

    private var heading: String {
        switch self {
        case .writeTooLong, .unsubscribed: "Attributes"
        case .commandBeforeOpening, .endlessCommand: "Commands"
        case .commandBeforePIN: "PIN"
        case .unknownDigit, .bytesBeforeReconnect: "Entering"
        default: "Transfer"
        }
    }

    private var id: String {
        switch self {
        case .writeTooLong: "write-too-long"
        case .unsubscribed: "unsubscribed"
        case .commandBeforeOpening: "command-before-opening"
        case .commandBeforePIN: "command-before-pin"
        case .endlessCommand: "endless-command"
        case .unknownDigit: "unknown-digit"
        case .bytesBeforeReconnect: "bytes-before-reconnect"
        case .packetBeforeOpening: "packet-before-opening"
        case .packetBeforeAnswer: "packet-before-answer"
        case .surplusBytes: "surplus-bytes"
        case .foreignBytes: "foreign-bytes"
        case .wrongComplement: "wrong-complement"
        case .wrongChecksum: "wrong-checksum"
        case .wrongNumber: "wrong-number"
        case .changedRepeat: "changed-repeat"
        case .fileHeader: "file-header"
        case .endWithoutData: "end-without-data"
        case .packetAfterEnd: "packet-after-end"
        }
    }
}
