/// An error that an FBeacon client must never make (fbeacon.md, Entering, Transfer).
package enum FBeaconClientError: String, CaseIterable, Hashable, Sendable {
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

/// What a beacon with FBeacon updates has recorded over its life.
package struct FBeaconStatistics: Hashable, Sendable {
    /// Packets of any kind.
    package internal(set) var packetsReceived = 0
    /// Write Commands among them, including those lost on the air.
    package internal(set) var commandsReceived = 0
    /// Accepted links.
    package internal(set) var links = 0
    /// Requests to open the AT engine, including refused ones.
    package internal(set) var openings = 0
    /// Requests to enter an update, including refused ones.
    package internal(set) var entryRequests = 0
    /// PINs that were tried.
    package internal(set) var pinTries = 0
    /// Wrong ones among them.
    package internal(set) var wrongPINs = 0
    /// The accepted digits of EnterDFU, in order.
    package internal(set) var entries: [UInt8] = []
    /// Attempts to change a setting, including refused ones.
    package internal(set) var changes = 0
    /// The times at which its LED was on, in order.
    package internal(set) var lights: [FBeaconSignal] = []
    /// The times at which its buzzer was on, in order.
    package internal(set) var sounds: [FBeaconSignal] = []
    /// Power losses and resets.
    package internal(set) var resets = 0
    /// The record of the transfers.
    package internal(set) var transfer = FBeaconRecord()

    init() {}
}

/// What happened in the transfers of FBeacon updates.
package struct FBeaconRecord: Hashable, Sendable {
    /// Opening bytes that were sent.
    package internal(set) var polls = 0
    /// Complete packets received, including wrong and repeated ones.
    package internal(set) var packets = 0
    /// Blocks written.
    package internal(set) var blocks = 0
    /// Repeated packets.
    package internal(set) var repeats = 0
    /// NAKs sent after the transfer was open.
    package internal(set) var refusals = 0
    /// Transfers that it ended with CAN.
    package internal(set) var cancellations = 0
    /// Transfers that the client ended with CAN.
    package internal(set) var clientCancellations = 0
    /// Transfers given up for lack of packets.
    package internal(set) var givenUp = 0
    /// EOTs received.
    package internal(set) var ends = 0
    /// Complete and valid images.
    package internal(set) var images = 0
    /// The client's errors, in order.
    package internal(set) var clientErrors: [FBeaconClientError] = []

    init() {}
}
