/// The differences between bootloaders that matter to a client, by DFU version (nordic-legacy.md, Quirks).
///
/// Adafruit's bootloader reports 0.8 like those of SDK 9 to 11, so its restrictions apply to all of them.
struct LegacyQuirks: Equatable, Sendable {
    /// Bytes per packet that all bootloaders accept, with any MTU. Stock bootloaders silently drop longer packets,
    /// Adafruit's stalls; OTAFIX and Adafruit's from 0.10 on accept up to 244 bytes (nordic-legacy.md, Personalities).
    static let packetLength = 20
    /// Packets per receipt (PRN) by default. A stock bootloader has 8 buffers, and Adafruit's stalls with 12.
    var receiptInterval = 8
    /// The receipt intervals that the device supports; 0 requests no receipts.
    var receiptIntervals = 0...Int(UInt16.max)
    /// The pause that a device needs on a new link, before Start.
    var restBeforeStart: Duration?
    /// The pause between the last response and the first packet of the image. With one bank the settings page is
    /// erased after Start, for up to 89 ms, during which only 8 packets find a buffer.
    var restBeforeData = Duration.milliseconds(100)
    /// The valid bits of the device's byte counts.
    var countMask = UInt32.max
    /// Whether the device may know only the Start from before SDK 7, without a mode and with one size.
    var mayNeedOldStart = false
    /// Whether the bootloader checks the SHA-256 in the init packet, not a CRC16 at the offset of generation 0.5.
    var readsDigest = false
    /// Whether the bootloader may verify signatures: one of SDK 11 may be built with the template that does.
    var mayVerifySignatures = true
    /// Whether the bootloader has reported a SoftDevice that the init packet lists.
    var hasListedSoftDevice = false
    /// Whether the device was sent at most a CRC16 instead of the package's init packet.
    var wasSentChecksumOnly = false

    /// SDK 7 to 11 (versions 0.5 to 0.8), and Adafruit's.
    static let stock = LegacyQuirks()
    /// SDK 4.3 to 6.1: no version characteristic. Receipts cannot be off, and the maximum is 10; SDK 5.2 reports only
    /// 16 bits of the number of bytes; a pause of 600 ms before Start is too short.
    static let beforeSDK7 = LegacyQuirks(
        receiptIntervals: 1...10, restBeforeStart: .milliseconds(1000), restBeforeData: .milliseconds(2000),
        countMask: 0xFFFF, mayNeedOldStart: true, mayVerifySignatures: false)

    /// The variant with version 0.7, which checks a SHA-256.
    static let hashing = LegacyQuirks(readsDigest: true, mayVerifySignatures: false)

    /// An application that receives the update itself. Its author may set any version, so the version implies nothing. One
    /// known application keeps 8 bits of the number of packets.
    static let application = LegacyQuirks(receiptIntervals: 0...Int(UInt8.max))

    /// The quirks of a bootloader with the DFU version `version`, nil if it shows none.
    static func of(version: [UInt8]?) -> LegacyQuirks {
        guard let version else { return beforeSDK7 }
        switch Array(version.prefix(2)) {
        case [7, 0]: return hashing
        case [5, 0], [6, 0]: return LegacyQuirks(mayVerifySignatures: false)
        default: return stock
        }
    }

    /// The generation of unsigned init packets that the bootloader reads.
    var plainGeneration: LegacyGeneration { readsDigest ? .hash : .crc16 }

    /// Whether the device's check can succeed with `packet`. A bootloader that reports 0.8 may be built for a
    /// generation other than 0.5; this cannot be detected.
    func mayPass(_ packet: LegacyInitPacket) -> Bool {
        if wasSentChecksumOnly { return true }
        return readsDigest ? packet.end.digest != nil : packet.end.generation == .crc16
    }

    /// Whether a count of `counted` bytes fits `bytes` received bytes.
    func agrees(_ counted: UInt32, with bytes: Int) -> Bool {
        (counted ^ UInt32(truncatingIfNeeded: bytes)) & countMask == 0
    }
}

struct LegacyPacing: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 requests no receipts.
    private(set) var receiptInterval: Int
    private let requested: Int?
    private var hasSlowed = false

    /// `requested` is the user's setting; nil uses that of the device's quirks.
    init(receiptInterval requested: Int?) {
        self.requested = requested
        receiptInterval = requested ?? LegacyQuirks.stock.receiptInterval
    }

    /// Starts a new link to a device with these quirks; earlier reductions stay.
    mutating func begin(_ quirks: LegacyQuirks) {
        let interval = hasSlowed ? receiptInterval : requested ?? quirks.receiptInterval
        receiptInterval = min(
            max(interval, quirks.receiptIntervals.lowerBound), quirks.receiptIntervals.upperBound)
    }

    var isSlowest: Bool { receiptInterval == 1 }

    /// Halves the interval, or turns receipts on, because the device cannot keep up.
    mutating func slowDown() {
        receiptInterval =
            receiptInterval == 0 ? LegacyQuirks.stock.receiptInterval : max(1, receiptInterval / 2)
        hasSlowed = true
    }
}
