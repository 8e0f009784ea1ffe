/// An error that an FBeacon client must never make (fbeacon.md, Entering, Transfer).
public enum FBeaconClientError: String, CaseIterable, Hashable, Sendable {
    /// A write longer than the MTU allows.
    case writeTooLong = "write beyond the MTU"
    /// A write that needs a response, while notifications of FFF1 are off.
    case unsubscribed = "no notifications from FFF1"
    /// A command before the AT engine was opened.
    case commandBeforeOpening = "command before $OpenFscAtEngine$"
    /// Anything except the PIN, where a PIN is required.
    case commandBeforePIN = "command before AT+PIN"
    /// A command that exceeds the maximum length without an end.
    case endlessCommand = "command without an end"
    /// EnterDFU without 0 or 1.
    case unknownDigit = "EnterDFU without 0 or 1"
    /// Bytes over a link that must end first.
    case bytesBeforeReconnect = "bytes before the new link"
    /// A packet before the receiver has requested one.
    case packetBeforeOpening = "packet before the opening byte"
    /// A packet before the response to the previous one.
    case packetBeforeAnswer = "packet before answer"
    /// More bytes than a packet has.
    case surplusBytes = "bytes after a packet"
    /// Bytes that start neither a packet nor a control byte.
    case foreignBytes = "neither packet nor control byte"
    /// A block number that does not match its complement.
    case wrongComplement = "wrong complement"
    /// A packet whose checksum does not match its data.
    case wrongChecksum = "wrong checksum"
    /// A block that is neither the next one nor a repeat of the last one.
    case wrongNumber = "wrong block number"
    /// A repeat of the last block with different data.
    case changedRepeat = "repeated block with other data"
    /// A file header in the stream, which must carry the payload only.
    case fileHeader = "header of a file in the stream"
    /// EOT before a block was accepted.
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
