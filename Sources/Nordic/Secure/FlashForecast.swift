/// Predicts when a device's flash has written an object. The prediction is never too early, unless the flash is slower
/// than assumed (nordic-secure.md, Timing).
protocol FlashForecast: Sendable {
    /// When the erase, and everything queued before it, is done.
    var erased: Duration { get }
    /// The number of packets to send at a time: waking up for each single packet would keep the CPU busy.
    var packetsAtOnce: Int { get }
    /// When everything sent so far is written.
    var idle: Duration { get }
    var wantsReceipts: Bool { get }

    /// The number of packets that may be sent at `now`.
    func capacity(at now: Duration) -> Int
    /// When `count` more packets may be sent; `count` is at most `packetsAtOnce`.
    func moment(for count: Int) -> Duration
    /// Whether the receipt of packet `number` is overdue, so that no packet may be sent before it.
    func isOverdue(_ number: Int, at now: Duration) -> Bool

    /// Records that packets were sent at these moments.
    mutating func send(at moments: [Duration])
    /// Records a receipt or response that came at `seen`: all but the last `outstanding` packets had arrived by
    /// `moment`. `isFresh`: it was received as it came, so the last of these packets did not arrive much earlier.
    mutating func note(
        outstanding: Int, seenAt seen: Duration, arrivedBy moment: Duration, interval: Duration, isFresh: Bool
    )
}

extension FlashForecast {
    /// Records `count` packets as sent at even intervals between two moments.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        send(at: (0..<count).map { start + (end - start) * $0 / max(1, count - 1) })
    }
}

/// How fast a flash erases and writes.
struct FlashPace: Equatable, Sendable {
    var erase: Duration
    /// The time to write 20 bytes, which is the amount passed to the SoftDevice at a time.
    var piece: Duration

    /// The stock bootloader on an nRF52 (nordic-secure.md, Timing).
    static let stock = FlashPace(erase: .milliseconds(90), piece: .microseconds(1100))
    static let pieceSize = 20
    /// The plausible times of an erase and of a piece, to which estimates are limited.
    private static let erases = Duration.milliseconds(1)...Duration.milliseconds(600)
    private static let pieces = Duration.microseconds(10)...Duration.milliseconds(10)

    func packet(_ payload: Int) -> Duration { piece * Self.pieces(of: payload) }
    static func pieces(of payload: Int) -> Int { (payload + pieceSize - 1) / pieceSize }

    var bounded: FlashPace {
        FlashPace(
            erase: min(max(erase, Self.erases.lowerBound), Self.erases.upperBound),
            piece: min(max(piece, Self.pieces.lowerBound), Self.pieces.upperBound))
    }
}

/// The time within which a page was erased and all pieces of an object were written.
struct WrittenObject: Equatable, Sendable {
    private let length: Duration
    private let pieces: Int

    init(within length: Duration, of count: Int, by payload: Int) {
        self.length = length
        pieces = max(
            1, count / payload * FlashPace.pieces(of: payload) + FlashPace.pieces(of: count % payload))
    }

    /// The longest time to write a piece if the erase took `erase`.
    func piece(after erase: Duration) -> Duration { max(.zero, length - erase) / pieces }
}

/// What Execute of a new init packet writes: one or two copies of the settings.
///
/// SDK 15.3 and later write two copies of 896 bytes, earlier ones write one of 440 bytes; bootloaders with two copies
/// take init packets of 512 bytes (nordic-secure.md, Timing).
struct SettingsWrite: Equatable, Sendable {
    let erases: Int
    let pieces: Int

    init(commandMaximum: Int) { (erases, pieces) = commandMaximum >= 512 ? (2, 90) : (1, 22) }

    func length(at pace: FlashPace) -> Duration { pace.erase * erases + pace.piece * pieces }

    /// The slowest flash that could finish within `length`, separately for erasing and writing.
    func slowest(within length: Duration) -> FlashPace {
        FlashPace(erase: length / erases, piece: length / pieces)
    }

    /// The flash that takes exactly `length`, with a stock flash's ratio of erase to write time.
    func proportional(within length: Duration) -> FlashPace {
        let share = length / self.length(at: .stock)
        return FlashPace(erase: FlashPace.stock.erase * share, piece: FlashPace.stock.piece * share)
    }
}
