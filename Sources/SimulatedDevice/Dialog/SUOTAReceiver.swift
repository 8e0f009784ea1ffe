/// The SUOTA service of a device as a value that takes what comes over a link and says what it does about it.
///
/// It does one thing after another: what comes while flash is being erased or written is looked at when that is
/// done, which is also when it is answered. Moments must not go backwards.
public protocol SUOTAReceiver: Sendable {
    /// How it behaves.
    var personality: SUOTAPersonality { get }
    /// What it is part of.
    var board: SUOTABoard { get }
    /// The memory with the images.
    var flash: FlashModel { get set }
    /// The value of STATUS.
    var status: UInt8 { get }
    /// The value of MEM_INFO.
    var memoryInfo: UInt32 { get }
    /// What happened so far.
    var record: SUOTARecord { get }
    /// Whether END came since the last start.
    var hasEnded: Bool { get }
    /// How many bytes of a file it has accepted.
    var acceptedBytes: Int { get }
    /// Where in the file the code begins.
    var codeStart: Int { get }
    /// The block that is arriving, counted over its life from 1, and whether half of it has come.
    var position: (block: Int, isHalfway: Bool) { get }

    /// A device with `board`'s images in its flash.
    init(_ personality: SUOTAPersonality, _ board: SUOTABoard)
    /// A link begins.
    mutating func connect(at now: Duration)
    /// The link ends; whether the device resets now, and when.
    mutating func disconnect(at now: Duration) -> Duration?
    /// A write to one of the characteristics.
    mutating func write(_ value: [UInt8], to target: SUOTATarget, at now: Duration) -> SUOTAReply
    /// Whether a channel to `psm` is taken.
    func listens(on psm: UInt16) -> Bool
    /// A packet over the channel.
    mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply
    /// When it will have something to say without having been asked; nil where it will not.
    var verdictDue: Duration? { get }
    /// Says it, once that moment has come.
    mutating func verdict(at now: Duration) -> SUOTAReply
    /// Power goes or a reset comes; the result says what starts next.
    mutating func reset(at now: Duration) -> SUOTABoot
}

extension SUOTAReceiver {
    /// When it will have something to say without having been asked.
    public var verdictDue: Duration? { nil }
    /// Says it.
    public mutating func verdict(at now: Duration) -> SUOTAReply { SUOTAReply() }
    /// When it is done with its flash.
    public func idle(at now: Duration) -> Duration { flash.idle(at: now) }

    /// When what comes at `moment` is looked at; brings the flash up to then.
    mutating func ready(at moment: Duration) -> Duration {
        let now = idle(at: moment)
        flash.advance(to: now)
        return now
    }
}

extension SUOTAPersonality {
    /// A receiver of this kind on `board`, or on a board as it comes.
    public func receiver(_ board: SUOTABoard? = nil) -> any SUOTAReceiver {
        let board = board ?? SUOTABoard(self)
        return family == .da1458x ? BankReceiver(self, board) : StreamReceiver(self, board)
    }
}
