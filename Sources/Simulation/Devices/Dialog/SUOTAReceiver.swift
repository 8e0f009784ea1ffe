/// The SUOTA service of a device as a value: it processes what arrives over a link and returns its reactions.
///
/// It does one thing at a time: what arrives while flash is being erased or written is processed, and answered,
/// afterwards. Moments must not decrease.
public protocol SUOTAReceiver: Sendable {
    /// The behaviour of its chip and SDK.
    var personality: SUOTAPersonality { get }
    /// The board that it is part of.
    var board: SUOTABoard { get }
    /// The memory that holds the images.
    var flash: FlashModel { get set }
    /// The value of STATUS.
    var status: UInt8 { get }
    /// The value of MEM_INFO.
    var memoryInfo: UInt32 { get }
    /// What happened so far.
    var record: SUOTARecord { get }
    /// Whether END was received since the last start.
    var hasEnded: Bool { get }
    /// How many bytes of a file it has accepted.
    var acceptedBytes: Int { get }
    /// The offset of the code in the file.
    var codeStart: Int { get }
    /// The current block, counted over its life from 1, and whether half of it has arrived.
    var position: (block: Int, isHalfway: Bool) { get }

    /// A device with `board`'s images in its flash.
    init(_ personality: SUOTAPersonality, _ board: SUOTABoard)
    /// Starts a link.
    mutating func connect(at now: Duration)
    /// Ends the link; returns when the device resets because of that, if it does.
    mutating func disconnect(at now: Duration) -> Duration?
    /// Processes a write to one of the characteristics.
    mutating func write(_ value: [UInt8], to target: SUOTATarget, at now: Duration) -> SUOTAReply
    /// Whether a channel to `psm` is accepted.
    func listens(on psm: UInt16) -> Bool
    /// Processes a packet of the channel.
    mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply
    /// When it will report something without a request; nil if it will not.
    var verdictDue: Duration? { get }
    /// Reports it, once that moment has come.
    mutating func verdict(at now: Duration) -> SUOTAReply
    /// Restarts after a power loss or a reset; returns what starts next.
    mutating func reset(at now: Duration) -> SUOTABoot
}

extension SUOTAReceiver {
    /// Nil: it reports nothing without a request.
    public var verdictDue: Duration? { nil }
    /// Does nothing.
    public mutating func verdict(at now: Duration) -> SUOTAReply { SUOTAReply() }
    /// When its flash will be idle.
    public func idle(at now: Duration) -> Duration { flash.idle(at: now) }

    /// When a packet that arrives at `moment` is processed; advances the flash to that time.
    mutating func ready(at moment: Duration) -> Duration {
        let now = idle(at: moment)
        flash.advance(to: now)
        return now
    }
}

extension SUOTAPersonality {
    /// A receiver of this kind on `board`, or on a default board.
    public func receiver(_ board: SUOTABoard? = nil) -> any SUOTAReceiver {
        let board = board ?? SUOTABoard(self)
        return family == .da1458x ? BankReceiver(self, board) : StreamReceiver(self, board)
    }
}
