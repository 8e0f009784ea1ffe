/// What a client has to mind with bootloaders of one DFU version: all that is not the same for each of them
/// (nordic-legacy.md, Quirks).
///
/// Adafruit's bootloader says 0.8 like those of SDK 9 to 11, so what it cannot bear is asked of nobody.
struct LegacyQuirks: Equatable, Sendable {
    /// Bytes a packet carries: whole words, and never more than 20, whatever the MTU. Longer ones are dropped
    /// silently by stock bootloaders, and make Adafruit's stall.
    var packetLength = 20
    /// Packets per receipt (PRN) unless somebody asks for another number. A stock bootloader has 8 buffers, and
    /// Adafruit's stalls with 12.
    var receiptInterval = 8
    /// What somebody may ask for; 0 is none.
    var receiptIntervals = 0...Int(UInt16.max)
    /// How long a device wants to be left alone on a new link, before Start.
    var restBeforeStart: Duration?
    /// How long it wants to be left alone between its last answer and the first packet of the image. With one bank
    /// the settings page is erased after Start, for up to 89 ms in which only 8 packets find a buffer.
    var restBeforeData = Duration.milliseconds(100)
    /// Which bits of a number of received bytes are valid.
    var countMask = UInt32.max
    /// Whether Start may have to be said as before SDK 7: without a mode, and with one size.
    var mayKnowOldStartOnly = false
    /// Whether it compares the image with the SHA-256 in its init packet, and not with a CRC16 in the place where
    /// that of generation 0.5 has it.
    var readsDigest = false
    /// Whether it was sent something else than the packet.
    var readsAnyPacket = false

    /// SDK 7 to 11 (versions 0.5 to 0.8), and Adafruit's.
    static let stock = LegacyQuirks()
    /// SDK 4.3 to 6.1: no version characteristic. Receipts cannot be off, 10 is the most; SDK 5.2 gives only 16
    /// bits of the number of bytes; 600 ms before Start are too few.
    static let beforeSDK7 = LegacyQuirks(
        receiptIntervals: 1...10, restBeforeStart: .milliseconds(1000), restBeforeData: .milliseconds(2000),
        countMask: 0xFFFF, mayKnowOldStartOnly: true)

    /// The variant that says 0.7.
    static let hashing = LegacyQuirks(readsDigest: true)

    /// An application that takes the update itself. Its version is whatever its author has put there, so nothing
    /// follows from it; one in the field keeps 8 bits of the number of packets.
    static let application = LegacyQuirks(receiptIntervals: 0...Int(UInt8.max))

    /// The quirks of a bootloader that shows `version`; nil where it shows none.
    static func of(version: [UInt8]?) -> LegacyQuirks {
        guard let version else { return beforeSDK7 }
        return Array(version.prefix(2)) == [7, 0] ? hashing : stock
    }

    /// Whether an image can pass that is checked by what the device finds in `packet`. One that says 0.8 may have
    /// been built for another generation than 0.5; nothing tells.
    func mayPass(_ packet: LegacyInitPacket) -> Bool {
        if readsAnyPacket { return true }
        return readsDigest ? packet.end.digest != nil : packet.end.generation == .crc16
    }

    /// Whether a device that counts `counted` bytes may have received `bytes`.
    func agrees(_ counted: UInt32, with bytes: Int) -> Bool {
        (counted ^ UInt32(truncatingIfNeeded: bytes)) & countMask == 0
    }
}
