/// An error that an FBeacon client must never make (fbeacon.md, Entering, Transfer).
package struct FBeaconClientError: ClientRule {
    package let broken: BrokenRule

    package static let writeTooLong = error("write-too-long", "write beyond the MTU", "Attributes")
    package static let unsubscribed = error("unsubscribed", "no notifications from FFF1", "Attributes")
    package static let commandBeforeOpening = error(
        "command-before-opening", "command before $OpenFscAtEngine$", "Commands")
    package static let commandBeforePIN = error("command-before-pin", "command before AT+PIN", "PIN")
    package static let endlessCommand = error("endless-command", "command without an end", "Commands")
    package static let unknownDigit = error("unknown-digit", "EnterDFU without 0 or 1", "Entering")
    package static let bytesBeforeReconnect = error(
        "bytes-before-reconnect", "bytes before the new link", "Entering")
    package static let packetBeforeOpening = error("packet-before-opening", "packet before the opening byte")
    package static let packetBeforeAnswer = error("packet-before-answer", "packet before answer")
    package static let surplusBytes = error("surplus-bytes", "bytes after a packet")
    package static let foreignBytes = error("foreign-bytes", "neither packet nor control byte")
    package static let wrongComplement = error("wrong-complement", "wrong complement")
    package static let wrongChecksum = error("wrong-checksum", "wrong checksum")
    /// A block that is neither the next one nor a repeat of the last one.
    package static let wrongNumber = error("wrong-number", "wrong block number")
    package static let changedRepeat = error("changed-repeat", "repeated block with other data")
    package static let fileHeader = error("file-header", "header of a file in the stream")
    package static let endWithoutData = error("end-without-data", "EOT without data")
    package static let packetAfterEnd = error("packet-after-end", "packet after EOT")

    package static let allCases = [
        writeTooLong, unsubscribed, commandBeforeOpening, commandBeforePIN, endlessCommand, unknownDigit,
        bytesBeforeReconnect, packetBeforeOpening, packetBeforeAnswer, surplusBytes, foreignBytes,
        wrongComplement, wrongChecksum, wrongNumber, changedRepeat, fileHeader, endWithoutData,
        packetAfterEnd,
    ]

    private static func error(_ id: String, _ text: String, _ heading: String = "Transfer") -> Self {
        Self(broken: BrokenRule("fbeacon-" + id, text, in: "fbeacon.md, \(heading)"))
    }
}

package struct FBeaconStatistics: Hashable, Sendable {
    package internal(set) var packetsReceived = 0
    /// The Write Commands among `packetsReceived`, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var links = 0
    package internal(set) var openings = 0
    package internal(set) var entryRequests = 0
    package internal(set) var pinTries = 0
    package internal(set) var wrongPINs = 0
    /// The accepted digits of EnterDFU, in order.
    package internal(set) var entries: [UInt8] = []
    package internal(set) var changes = 0
    package internal(set) var lights: [FBeaconSignal] = []
    package internal(set) var sounds: [FBeaconSignal] = []
    package internal(set) var resets = 0
    package internal(set) var transfer = FBeaconRecord()
}

package struct FBeaconRecord: Hashable, Sendable {
    package internal(set) var polls = 0
    /// Complete packets received, including wrong and repeated ones.
    package internal(set) var packets = 0
    package internal(set) var blocks = 0
    package internal(set) var repeats = 0
    /// The NAKs that the receiver sent after the transfer was opened.
    package internal(set) var refusals = 0
    /// The transfers that the receiver ended with CAN.
    package internal(set) var cancellations = 0
    package internal(set) var clientCancellations = 0
    package internal(set) var givenUp = 0
    package internal(set) var ends = 0
    package internal(set) var images = 0
    package internal(set) var clientErrors: [FBeaconClientError] = []
}
