package import Bluetooth

/// The SUOTA service of a device as a value: it processes what arrives over a link and returns its reactions.
///
/// It does one thing at a time: what arrives while flash is being erased or written is processed, and answered,
/// afterwards. Moments must not decrease.
package protocol SUOTAReceiver: Sendable {
    var personality: SUOTAPersonality { get }
    var board: SUOTABoard { get }
    var flash: FlashModel { get set }
    var status: UInt8 { get }
    var memoryInfo: UInt32 { get }
    var record: SUOTARecord { get }
    /// Whether END was received since the last start.
    var hasEnded: Bool { get }
    var acceptedBytes: Int { get }
    /// The offset of the code in the file.
    var codeStart: Int { get }
    /// The current block, counted over its life from 1, and whether half of it has arrived.
    var position: (block: Int, isHalfway: Bool) { get }

    init(_ personality: SUOTAPersonality, _ board: SUOTABoard)
    mutating func connect(at now: Duration)
    /// Ends the link; returns when the device resets because of that, if it does.
    mutating func disconnect(at now: Duration) -> Duration?
    mutating func write(_ value: [UInt8], to target: SUOTATarget, at now: Duration) -> SUOTAReply
    func listens(on psm: UInt16) -> Bool
    mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply
    /// When it will report something without a request; nil if it will not.
    var verdictDue: Duration? { get }
    mutating func verdict(at now: Duration) -> SUOTAReply
    /// Restarts after a power loss or a reset; returns what starts next.
    mutating func reset(at now: Duration) -> SUOTABoot
}

extension SUOTAReceiver {
    package var verdictDue: Duration? { nil }
    package mutating func verdict(at now: Duration) -> SUOTAReply { SUOTAReply() }
    package func idle(at now: Duration) -> Duration { flash.idle(at: now) }

    /// When a packet that arrives at `moment` is processed; advances the flash to that time.
    mutating func ready(at moment: Duration) -> Duration {
        let now = idle(at: moment)
        flash.advance(to: now)
        return now
    }
}

extension SUOTAPersonality {
    package func receiver(_ board: SUOTABoard? = nil) -> any SUOTAReceiver {
        let board = board ?? SUOTABoard(self)
        return family == .da1458x ? BankReceiver(self, board) : StreamReceiver(self, board)
    }
}

/// The target of a SUOTA client's write (dialog-suota.md, Layout).
package enum SUOTATarget: Hashable, Sendable {
    case memoryDevice
    case pinMap
    case patchLength
    case patchData

    package init?(_ uuid: BluetoothUUID) {
        switch uuid {
        case AttributeTable.suotaMemoryDevice: self = .memoryDevice
        case AttributeTable.suotaPinMap: self = .pinMap
        case AttributeTable.suotaPatchLength: self = .patchLength
        case AttributeTable.suotaPatchData: self = .patchData
        default: return nil
        }
    }
}

/// The board of a product with SUOTA: everything except chip and SDK.
public struct SUOTABoard: Hashable, Sendable {
    /// The memory that holds the banks of a 58x.
    public enum Memory: Hashable, Sendable {
        /// Flash on SPI.
        case spi
        /// EEPROM on I2C.
        case i2c
    }

    /// The memory that holds the banks of a 58x.
    public var memory = Memory.spi
    /// The GPIO_MAP that selects that memory; nil for any. The default is the vendor's.
    public var pins: UInt32? = 0x0506_0300
    /// The status of a 58x that cannot access its memory: 16, or 14 if it reads garbage.
    public var wrongPinsStatus = ReceiverStatus.memoryRead
    /// The address of the product header of a 58x; nil without one.
    public var productHeader: Int?
    /// The image in bank 1, or the running one.
    public var first: SUOTAFirmware? = SUOTAFirmware()
    /// The image in bank 2.
    public var second: SUOTAFirmware?
    /// Whether its firmware resets when it must: after REBOOT, and after a lost link on 68x and 69x.
    public var resets = true
    /// 58x: how long its firmware checks a signature after a correct XOR; the image is valid only after that, and a
    /// second status reports it. Nil for stock firmware, which checks none.
    public var signatureCheck: Duration?
    /// Whether that check accepts the signature.
    public var signatureHolds = true
    /// Whether encrypted images can start.
    public var decrypts = false
    /// The number of links that the device has to other centrals.
    public var otherLinks = 0

    /// A board for `personality` with its product header where its firmware expects it.
    public init(_ personality: SUOTAPersonality) {
        productHeader = personality.family == .da1458x ? personality.productHeader : nil
    }
}
