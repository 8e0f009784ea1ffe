import Bytes

/// The SUOTA service of a DA1458x or DA1453x: blocks are written to one of two banks (dialog-suota.md, Receivers 58x).
public struct BankReceiver: SUOTAReceiver {
    /// The memory device that the last start chose.
    enum Device: Equatable, Sendable {
        case none, i2c, spi
        /// An image into RAM, which is refused but recorded.
        case ram

        /// Whether a device was chosen.
        var isChosen: Bool { self != .none }
    }

    /// The behaviour of its chip and SDK.
    public let personality: SUOTAPersonality
    /// The board that it is part of.
    public let board: SUOTABoard
    /// The memory that holds the images.
    public var flash: FlashModel
    /// The value of STATUS.
    public internal(set) var status: UInt8 = 0
    /// The value of MEM_INFO.
    public internal(set) var memoryInfo: UInt32 = 0
    /// What happened so far.
    public internal(set) var record = SUOTARecord()

    var device = Device.none
    var bank = 0
    var pins: UInt32 = 0
    var patchLength = 0
    var collected: [UInt8] = []
    var checksum = XORChecksum()
    /// Image bytes received so far, including the header.
    var imageBytes = 0
    var codeSize = 0
    /// Where the image is written; the bank's number until its first block has arrived.
    var address = 0
    /// The end of the erased part.
    var erasedEnd = 0
    var blocks = 0
    /// Whether END was received since the last start.
    public internal(set) var hasEnded = false
    var wantsReset = false
    /// When the running signature check ends; nil if there is none.
    public internal(set) var verdictDue: Duration?

    /// A device with `board`'s images in its memory.
    public init(_ personality: SUOTAPersonality, _ board: SUOTABoard) {
        self.personality = personality
        self.board = board
        flash = FlashModel(
            timing: personality.timing, capacity: .max, cells: board.memory == .i2c ? .rewritable : .bytes)
        for (place, firmware) in zip(personality.banks, [board.first, board.second]) {
            if let firmware { flash.place(firmware.stored(.da1458x), at: place) }
        }
        if let place = board.productHeader {
            flash.place(ProductHeader(banks: personality.banks).bytes, at: place)
        }
    }

    /// The current block, and whether half of it has arrived.
    public var position: (block: Int, isHalfway: Bool) {
        (blocks + 1, patchLength > 0 && !collected.isEmpty && collected.count * 2 >= patchLength)
    }

    /// Whether a channel to `psm` is accepted now.
    public func listens(on psm: UInt16) -> Bool { false }

    /// Processes a packet of the channel.
    public mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply { SUOTAReply() }

    /// Starts a link.
    public mutating func connect(at now: Duration) {}

    /// Ends the link; returns when the device resets because of that, if it does.
    public mutating func disconnect(at now: Duration) -> Duration? {
        let now = ready(at: now)
        forget()
        return wantsReset && board.resets ? now : nil
    }

    /// Processes a write to one of the characteristics.
    public mutating func write(_ value: [UInt8], to target: SUOTATarget, at moment: Duration) -> SUOTAReply {
        let isEarly = moment < idle(at: moment)
        let now = ready(at: moment)
        switch target {
        case .memoryDevice:
            guard let word = UInt32(wire: value) else { return .invalidLength }
            return memoryDevice(word, at: now)
        case .pinMap:
            guard let word = UInt32(wire: value) else { return .invalidLength }
            guard device == .spi || device == .i2c else { return tell(.memoryType, at: now) }
            pins = word
            return SUOTAReply()
        case .patchLength:
            guard value.count == 2 else { return .invalidLength }
            return patchLength(Int(value[0]) | Int(value[1]) << 8, at: now)
        case .patchData:
            if isEarly, device.isChosen { record.clientErrors.append(.blockBeforeAnswer) }
            return patchData(value, at: now)
        }
    }

    mutating func tell(_ status: ReceiverStatus, at now: Duration) -> SUOTAReply {
        self.status = status.rawValue
        return SUOTAReply([.notify([status.rawValue], at: idle(at: now))])
    }

    /// Clears counters, length and checksum, as a start does.
    mutating func clear() {
        patchLength = 0
        collected = []
        checksum = XORChecksum()
        imageBytes = 0
        codeSize = 0
    }

    /// Clears the state that does not survive a link.
    mutating func forget() {
        clear()
        verdictDue = nil
        device = .none
        hasEnded = false
    }
}

extension UInt32 {
    /// Four bytes, least significant first; nil for any other count.
    init?(wire bytes: [UInt8]) {
        guard bytes.count == 4 else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
