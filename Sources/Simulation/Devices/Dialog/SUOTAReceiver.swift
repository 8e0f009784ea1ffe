/// The SUOTA service of a device as a value: it processes what arrives over a link and returns its reactions.
///
/// It processes one packet at a time: a packet that arrives while flash is being erased or written is processed and
/// answered afterwards. The times that it is given must not decrease.
package protocol SUOTAReceiver: Sendable {
    var personality: SUOTAPersonality { get }
    var flash: FlashModel { get set }
    var status: UInt8 { get set }
    var memoryInfo: UInt32 { get }
    var record: SUOTARecord { get set }
    /// The end of the erased part of flash.
    var erasedEnd: Int { get set }
    var hasEnded: Bool { get }
    var acceptedBytes: Int { get }
    var codeStart: Int { get }
    /// The current block, counted from 1 over the device's life, and whether half of it has arrived.
    var position: (block: Int, isHalfway: Bool) { get }

    mutating func connect(at now: Duration)
    /// Ends the link; returns when the device resets because of that, nil if it does not.
    mutating func disconnect(at now: Duration) -> Duration?
    mutating func write(_ value: [UInt8], to target: SUOTATarget, at now: Duration) -> SUOTAReply
    func listens(on psm: UInt16) -> Bool
    mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply
    /// When the signature check ends and its status is reported; nil if none is under way.
    var verdictDue: Duration? { get }
    mutating func verdict(at now: Duration) -> SUOTAReply
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

    mutating func report(_ status: ReceiverStatus, at now: Duration) -> SUOTAReply {
        self.status = status.rawValue
        return SUOTAReply(reactions: [.notify([status.rawValue], at: idle(at: now))])
    }

    /// Erases the sectors up to the one that contains `end`.
    mutating func erase(upTo end: Int, _ now: Duration) {
        while erasedEnd <= end {
            _ = flash.append(.erase(erasedEnd), at: now)
            erasedEnd += FlashModel.pageSize
        }
    }
}

extension SUOTAPersonality {
    package func receiver(_ board: SUOTABoard? = nil) -> any SUOTAReceiver {
        let board = board ?? SUOTABoard(self)
        let flash = flash(of: board)
        return family == .da1458x
            ? BankReceiver(personality: self, board: board, flash: flash)
            : StreamReceiver(personality: self, board: board, flash: flash)
    }

    private func flash(of board: SUOTABoard) -> FlashModel {
        let isRewritable = family == .da1458x && board.memory == .i2c
        var flash = FlashModel(timing: timing, capacity: .max, cells: isRewritable ? .rewritable : .bytes)
        for (place, firmware) in zip(banks, [board.first, board.second]) {
            if let firmware { flash.place(firmware.stored(family), at: place) }
        }
        if family == .da1458x, let place = board.productHeader {
            flash.place(ProductHeader(banks: banks).bytes, at: place)
        }
        if family == .da1469x { flash.place(FlashHeader(active: banks[0], update: banks[0]).bytes, at: 0) }
        return flash
    }
}

package struct SUOTAReply: Hashable, Sendable {
    /// The ATT error code of the response to a Write Request; nil if the write is accepted.
    package var refusal: UInt8?
    /// The reactions besides the response; `notify` notifies STATUS.
    package var reactions: [FirmwareReaction] = []

    static let invalidLength = SUOTAReply(refusal: 0x0D)
    static let refused = SUOTAReply(refusal: 0x80)
}

/// What a SUOTA receiver reports on STATUS (dialog-suota.md, Codes).
public enum ReceiverStatus: UInt8, Hashable, Sendable {
    /// A block was accepted, or END found no error.
    case ok = 0x02
    /// The service was closed, or cannot be used now.
    case exit = 0x03
    /// The checksum of everything received is wrong.
    case checksum = 0x04
    /// A length of 0, data without a length, or a block longer than announced.
    case length = 0x05
    /// Flash could not be written or erased, or more bytes arrived than the image has.
    case memoryWrite = 0x06
    /// More bytes than the block buffer holds.
    case buffer = 0x07
    /// An unknown memory type, or a write at the wrong time.
    case memoryType = 0x08
    /// The header could not be finished.
    case application = 0x09
    /// Ready for a new image.
    case started = 0x10
    /// The bank does not exist.
    case bank = 0x11
    /// The image header is missing.
    case imageHeader = 0x12
    /// The image is empty, or larger than its bank.
    case imageSize = 0x13
    /// There is no product header at the address where the firmware expects it.
    case productHeader = 0x14
    /// The bank holds the same image.
    case sameImage = 0x15
    /// Flash could not be read.
    case memoryRead = 0x16
}

/// What a device with SUOTA starts after a reset (dialog-suota.md, Which image starts).
package struct SUOTABoot: Hashable, Sendable {
    package struct Image: Hashable, Sendable {
        package let version: String
        /// The build time in its header, in Unix seconds.
        package let timestamp: UInt32
        package let payload: [UInt8]
        /// The bank that it came from, 1 or 2; 1 if a loader copies images.
        package internal(set) var bank: Int
        /// Whether its CRC-32 is correct. A 58x starts a single image even if it is not.
        package let isIntact: Bool
    }

    /// The image that starts; nil if there is none.
    package let image: Image?
    /// The time from the reset until the image runs.
    package let time: Duration

    package var isAlive: Bool { image?.isIntact == true }
}

/// What breaks the rules of SUOTA, although some receivers accept it (dialog-suota.md).
package enum SUOTARule: String, ClientRule {
    /// A 58x answers 0x02 and writes to a wrong place in flash.
    case endWithoutData
    /// A 68x answers 0x04 to the second END even if the first one succeeded.
    case endTwice
    case endWithoutStart
    /// A 58x does not count the bytes, so it does not notice.
    case endBeforeAllBlocks
    /// It would keep a 68x busy without end.
    case patchLengthZero
    case blockBeforeAnswer
    /// A 68x loses a buffer with each such start.
    case startWithoutAbort
    case channelInAttributeMode

    package static let prefix = "suota-"
    package static let page = "dialog-suota.md,"

    package var broken: BrokenRule {
        switch self {
        case .endWithoutData: rule("END without data", "Receivers 58x")
        case .endTwice: rule("END twice", "Receivers 68x and 69x")
        case .endWithoutStart: rule("END without start", "Commands")
        case .endBeforeAllBlocks: rule("END before all blocks", "Receivers 58x")
        case .patchLengthZero: rule("PATCH_LEN 0", "Receivers 68x and 69x")
        case .blockBeforeAnswer: rule("block before answer", "Blocks")
        case .startWithoutAbort: rule("start without ABORT", "Receivers 68x and 69x")
        case .channelInAttributeMode: rule("channel in GATT mode", "Channel")
        }
    }
}

package struct SUOTARecord: Hashable, Sendable {
    /// Starts answered with 0x10.
    package internal(set) var starts = 0
    /// Blocks answered with 0x02.
    package internal(set) var blocks = 0
    /// Image bytes received, over the attributes or the channel, including repeated ones.
    package internal(set) var bytes = 0
    package internal(set) var channelPackets = 0, ends = 0, resets = 0
    package internal(set) var brokenRules: [SUOTARule] = []
}
