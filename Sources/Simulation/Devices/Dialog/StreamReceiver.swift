/// The SUOTA service of a DA1468x or DA1469x: a stream that is answered after every PATCH_LEN bytes, or a channel
/// (dialog-suota.md, Receivers 68x and 69x).
public struct StreamReceiver: SUOTAReceiver {
    /// The position of the stream in the image.
    enum Stage: Hashable, Sendable {
        /// Before a start.
        case idle
        /// In the header; the header bytes so far.
        case header([UInt8])
        /// After the header; the number of header and code bytes so far.
        case body(StreamHeader, Int)
        /// Nothing more is accepted.
        case failed
    }

    /// How the image is sent: PATCH_LEN selects the attributes.
    enum Way: Hashable, Sendable { case open, attributes, channel }

    static let bufferSize = 512

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

    var stage = Stage.idle
    var way = Way.open
    var patchLength = 0
    /// Bytes since the last response.
    var unanswered = 0
    var checksum = RunningCRC()
    /// Whether END was received since the last start.
    public internal(set) var hasEnded = false
    var headerBytes: [UInt8] = []
    var buffer: [UInt8] = []
    /// The end of the erased part.
    var erasedEnd = 0
    var blocks = 0
    var buffersLost = 0
    var holdsBuffer = false
    /// Whether there was a start since the last reset.
    var hasStarted = false
    var links = 0
    /// The bank of the running image; bank 2 only on 69x.
    var runningBank = 0
    /// 68x: when the loader finishes the copy.
    var copyEnds: Duration?

    /// A device with `board`'s images in its memory.
    public init(_ personality: SUOTAPersonality, _ board: SUOTABoard) {
        self.personality = personality
        self.board = board
        flash = FlashModel(timing: personality.timing, capacity: .max, cells: .bytes)
        for (place, firmware) in zip(personality.banks, [board.first, board.second]) {
            if let firmware { flash.place(firmware.stored(personality.family), at: place) }
        }
        if personality.family == .da1469x {
            flash.place(FlashHeader(active: personality.banks[0], update: personality.banks[0]).bytes, at: 0)
        }
    }

    /// The current block, and whether half of it has arrived.
    public var position: (block: Int, isHalfway: Bool) {
        switch way {
        case .open: (blocks + 1, false)
        case .attributes: (blocks + 1, patchLength > 0 && unanswered > 0 && unanswered * 2 >= patchLength)
        case .channel:
            (blocks + Int(memoryInfo) / Self.bufferSize + 1, Int(memoryInfo) % Self.bufferSize >= 256)
        }
    }

    /// Starts a link.
    public mutating func connect(at now: Duration) {
        finishCopying(at: now)
        links += 1
        status = 0
    }

    /// A device on which an update was started resets at the end of any link.
    public mutating func disconnect(at now: Duration) -> Duration? {
        let now = ready(at: now)
        links -= 1
        guard hasStarted else { return nil }
        stage = .idle
        way = .open
        return board.resets ? now : nil
    }

    /// Whether a channel to `psm` is accepted now.
    public func listens(on psm: UInt16) -> Bool {
        guard case .idle = stage else { return personality.psm == psm && way != .attributes }
        return false
    }

    /// Processes a write to one of the characteristics.
    public mutating func write(_ value: [UInt8], to target: SUOTATarget, at moment: Duration) -> SUOTAReply {
        let isEarly = moment < idle(at: moment)
        let now = ready(at: moment)
        switch target {
        case .memoryDevice:
            guard let word = UInt32(wire: value) else { return .refused }
            return memoryDevice(word, at: now)
        case .pinMap: return value.count == 4 ? SUOTAReply() : .refused
        case .patchLength:
            guard value.count == 2 else { return .refused }
            patchLength = Int(value[0]) | Int(value[1]) << 8
            way = .attributes
            if patchLength == 0 { record.clientErrors.append(.patchLengthZero) }
            return SUOTAReply()
        case .patchData:
            if isEarly, unanswered == 0, stage != .idle, patchLength > 0 {
                record.clientErrors.append(.blockBeforeAnswer)
            }
            return patchData(value, at: now)
        }
    }

    /// Processes a packet of the channel.
    public mutating func channel(_ packet: [UInt8], at moment: Duration) -> SUOTAReply {
        let now = ready(at: moment)
        record.channelPackets += 1
        guard way != .attributes else {
            record.clientErrors.append(.channelInAttributeMode)
            return SUOTAReply()
        }
        guard stage != .idle else { return SUOTAReply() }
        way = .channel
        return take(packet, at: now).map { tell($0, at: now) } ?? SUOTAReply()
    }

    mutating func tell(_ status: ReceiverStatus, at now: Duration) -> SUOTAReply {
        self.status = status.rawValue
        return SUOTAReply([.notify([status.rawValue], at: idle(at: now))])
    }
}
