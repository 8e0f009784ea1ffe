/// An error that an FBeacon client must never make (fbeacon.md, Entering, Transfer).
package enum FBeaconClientError: String, CaseIterable, Hashable, Sendable {
    case writeTooLong = "write beyond the MTU"
    case unsubscribed = "no notifications from FFF1"
    case commandBeforeOpening = "command before $OpenFscAtEngine$"
    case commandBeforePIN = "command before AT+PIN"
    case endlessCommand = "command without an end"
    case unknownDigit = "EnterDFU without 0 or 1"
    case bytesBeforeReconnect = "bytes before the new link"
    case packetBeforeOpening = "packet before the opening byte"
    case packetBeforeAnswer = "packet before answer"
    case surplusBytes = "bytes after a packet"
    case foreignBytes = "neither packet nor control byte"
    case wrongComplement = "wrong complement"
    case wrongChecksum = "wrong checksum"
    /// A block that is neither the next one nor a repeat of the last one.
    case wrongNumber = "wrong block number"
    case changedRepeat = "repeated block with other data"
    case fileHeader = "header of a file in the stream"
    case endWithoutData = "EOT without data"
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

package struct FBeaconStatistics: Hashable, Sendable {
    package internal(set) var packetsReceived = 0
    /// Write Commands among them, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var links = 0
    /// Requests to open the AT engine, including refused ones.
    package internal(set) var openings = 0
    /// Requests to enter an update, including refused ones.
    package internal(set) var entryRequests = 0
    package internal(set) var pinTries = 0
    package internal(set) var wrongPINs = 0
    /// The accepted digits of EnterDFU, in order.
    package internal(set) var entries: [UInt8] = []
    /// Attempts to change a setting, including refused ones.
    package internal(set) var changes = 0
    package internal(set) var lights: [FBeaconSignal] = []
    package internal(set) var sounds: [FBeaconSignal] = []
    package internal(set) var resets = 0
    package internal(set) var transfer = FBeaconRecord()

    init() {}
}

package struct FBeaconRecord: Hashable, Sendable {
    /// Opening bytes that were sent.
    package internal(set) var polls = 0
    /// Complete packets received, including wrong and repeated ones.
    package internal(set) var packets = 0
    package internal(set) var blocks = 0
    package internal(set) var repeats = 0
    /// NAKs sent after the transfer was open.
    package internal(set) var refusals = 0
    /// Transfers that it ended with CAN.
    package internal(set) var cancellations = 0
    /// Transfers that the client ended with CAN.
    package internal(set) var clientCancellations = 0
    package internal(set) var givenUp = 0
    package internal(set) var ends = 0
    /// Complete and valid images.
    package internal(set) var images = 0
    package internal(set) var clientErrors: [FBeaconClientError] = []

    init() {}
}
