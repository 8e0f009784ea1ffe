package enum FBeaconRule: String, ClientRule {
    case writeTooLong, unsubscribed, commandBeforeOpening, commandBeforePIN, endlessCommand, unknownDigit,
        bytesBeforeReconnect, packetBeforeOpening, packetBeforeAnswer, surplusBytes, foreignBytes,
        wrongComplement, wrongChecksum
    /// A block that is neither the next one nor a repeat of the last one.
    case wrongNumber
    case changedRepeat, fileHeader, endWithoutData, packetAfterEnd

    package static let prefix = "fbeacon-"
    package static let page = "fbeacon.md,"

    package var broken: BrokenRule {
        switch self {
        case .writeTooLong: rule("write beyond the MTU", "Attributes")
        case .unsubscribed: rule("no notifications from FFF1", "Attributes")
        case .commandBeforeOpening: rule("command before $OpenFscAtEngine$", "Commands")
        case .commandBeforePIN: rule("command before AT+PIN", "PIN")
        case .endlessCommand: rule("command without an end", "Commands")
        case .unknownDigit: rule("EnterDFU without 0 or 1", "Entering")
        case .bytesBeforeReconnect: rule("bytes before the new link", "Entering")
        case .packetBeforeOpening: rule("packet before the opening byte", "Transfer")
        case .packetBeforeAnswer: rule("packet before answer", "Transfer")
        case .surplusBytes: rule("bytes after a packet", "Transfer")
        case .foreignBytes: rule("neither packet nor control byte", "Transfer")
        case .wrongComplement: rule("wrong complement", "Transfer")
        case .wrongChecksum: rule("wrong checksum", "Transfer")
        case .wrongNumber: rule("wrong block number", "Transfer")
        case .changedRepeat: rule("repeated block with other data", "Transfer")
        case .fileHeader: rule("header of a file in the stream", "Transfer")
        case .endWithoutData: rule("EOT without data", "Transfer")
        case .packetAfterEnd: rule("packet after EOT", "Transfer")
        }
    }
}

package struct FBeaconStatistics: Hashable, Sendable {
    package internal(set) var packetsReceived = 0
    /// The Write Commands among `packetsReceived`, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var links = 0, openings = 0, entryRequests = 0
    package internal(set) var pinTries = 0, wrongPINs = 0, changes = 0, resets = 0
    /// The accepted digits of EnterDFU, in order.
    package internal(set) var entries: [UInt8] = []
    package internal(set) var lights: [FBeaconSignal] = [], sounds: [FBeaconSignal] = []
    package internal(set) var transfer = FBeaconRecord()
}

package struct FBeaconRecord: Hashable, Sendable {
    package internal(set) var polls = 0
    /// Complete packets received, including wrong and repeated ones.
    package internal(set) var packets = 0
    package internal(set) var blocks = 0, repeats = 0
    /// The NAKs that the receiver sent after the transfer was opened.
    package internal(set) var refusals = 0
    /// The transfers that the receiver ended with CAN.
    package internal(set) var cancellations = 0
    package internal(set) var clientCancellations = 0, givenUp = 0, ends = 0, images = 0
    package internal(set) var brokenRules: [FBeaconRule] = []
}
