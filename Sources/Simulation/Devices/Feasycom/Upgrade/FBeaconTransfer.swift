/// How a Feasycom beacon receives an image, in a dialect of XMODEM-1K (fbeacon.md, Transfer). Anything not in that page
/// is our choice.
public struct FBeaconTransfer: Hashable, Sendable {
    /// The byte that requests the first packet.
    public enum Opening: UInt8, CaseIterable, Hashable, Sendable {
        /// `C`: CRC-16, and the sender leaves out the first 1024 bytes of the payload.
        case skippingPreamble = 0x43
        /// `S`: CRC-16 and the whole payload.
        case whole = 0x53
        /// NAK: an 8-bit sum and the whole payload.
        case sum = 0x15
    }

    /// The byte that requests the first packet.
    public var opening = Opening.whole
    /// The interval between these requests.
    public var pollInterval = Duration.milliseconds(800)
    /// The number of requests before it gives up.
    public var polls = 16
    /// How long it waits for the rest of a packet; our choice.
    public var pieceTimeout = Duration.milliseconds(500)
    /// How long it waits for a packet before a reminder; our choice.
    public var packetTimeout = Duration.seconds(3)
    /// The number of reminders before it gives up; our choice.
    public var reminders = 8
    /// How long it waits for the link over which an update continues; our choice.
    public var linkTimeout = Duration.seconds(30)
    /// The time from the last byte of a transfer to the restart; our choice. The third CAN of a client comes within it.
    public var restartDelay = Duration.seconds(1)
    /// Whether the image overwrites the application, so that an interrupted update leaves the bootloader alone;
    /// otherwise it is stored separately and copied after the restart.
    public var overwrites = false
    /// Whether EOT is acknowledged before the image is checked: a wrong image is then dropped silently.
    public var acknowledgesUnchecked = false

    /// The behaviour of a genuine beacon, as far as it is known.
    public init() {}

    /// The size of a packet in bytes: start, number, complement, data, checksum.
    var packetSize: Int { 3 + Self.blockSize + (opening == .sum ? 1 : 2) }

    /// Bytes of data in a packet.
    static let blockSize = 1024
}

/// The control bytes of the protocol.
enum FBeaconControl {
    static let start: UInt8 = 0x02
    static let end: UInt8 = 0x04
    static let acknowledge: UInt8 = 0x06
    static let refuse: UInt8 = 0x15
    static let cancel: UInt8 = 0x18
    static let padding: UInt8 = 0x1A
}
