/// How a Feasycom beacon takes an image: as the receiver of an XMODEM-1K dialect (fbeacon.md, Transfer). What is
/// not in the sheet is our choice.
public struct FBeaconTransfer: Hashable, Sendable {
    /// What it asks for the first packet with.
    public enum Opening: UInt8, CaseIterable, Hashable, Sendable {
        /// `C`: CRC-16, and the sender leaves out the first 1024 bytes of the payload.
        case skippingPreamble = 0x43
        /// `S`: CRC-16 and the whole payload.
        case whole = 0x53
        /// NAK: a sum of eight bits and the whole payload.
        case sum = 0x15
    }

    /// What it asks for the first packet with.
    public var opening = Opening.whole
    /// How often it asks.
    public var pollInterval = Duration.milliseconds(800)
    /// How many times it asks before it gives up.
    public var polls = 16
    /// How long it waits for the rest of a packet; ours.
    public var pieceTimeout = Duration.milliseconds(500)
    /// How long it waits for a packet before it asks again; ours.
    public var packetTimeout = Duration.seconds(3)
    /// How many times it asks so before it gives up; ours.
    public var reminders = 8
    /// How long it waits for the link over which an update is to go on; ours.
    public var linkTimeout = Duration.seconds(30)
    /// How long after the last word of a transfer it restarts; ours. The third CAN of a client comes within it.
    public var restartDelay = Duration.seconds(1)
    /// Whether the image is written over the application, so that an update that is interrupted leaves the bootloader
    /// alone; otherwise it comes to lie beside it and is copied after the restart.
    public var overwrites = false
    /// Whether EOT is acknowledged before the image is checked: a wrong one is dropped without a word.
    public var acknowledgesUnchecked = false

    /// As a genuine one does, as far as that is known.
    public init() {}

    /// Bytes of a whole packet: start, number, complement, data, checksum.
    var packetSize: Int { 3 + Self.blockSize + (opening == .sum ? 1 : 2) }

    /// Bytes of data in a packet.
    static let blockSize = 1024
}

/// The bytes that stand for themselves.
enum FBeaconControl {
    static let start: UInt8 = 0x02
    static let end: UInt8 = 0x04
    static let acknowledge: UInt8 = 0x06
    static let refuse: UInt8 = 0x15
    static let cancel: UInt8 = 0x18
    static let padding: UInt8 = 0x1A
}
