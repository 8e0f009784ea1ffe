/// How long a device's flash takes at most, as far as is known.
struct FlashPace: Equatable, Sendable {
    /// Erasing a page.
    var erase: Duration
    /// Writing 20 bytes, which is what the SoftDevice is given at a time.
    var piece: Duration

    /// The stock bootloader on an nRF52 (nordic-secure.md, Timing).
    static let stock = FlashPace(erase: .milliseconds(90), piece: .microseconds(1100))
    /// Bytes that are written at a time.
    static let pieceSize = 20
    /// Nothing is believed to be quicker or slower than this.
    private static let erases = Duration.milliseconds(1)...Duration.milliseconds(600)
    private static let pieces = Duration.microseconds(10)...Duration.milliseconds(10)

    /// How long a packet of `payload` bytes takes.
    func packet(_ payload: Int) -> Duration { piece * ((payload + Self.pieceSize - 1) / Self.pieceSize) }

    /// The same, within reason.
    var bounded: FlashPace {
        FlashPace(
            erase: min(max(erase, Self.erases.lowerBound), Self.erases.upperBound),
            piece: min(max(piece, Self.pieces.lowerBound), Self.pieces.upperBound))
    }
}

/// What Execute of a new init packet writes: the settings, in one copy or in two.
///
/// Two copies of 896 bytes from SDK 15.3 on, one of 440 before; bootloaders with two take init packets of 512
/// bytes (nordic-secure.md, Timing).
struct SettingsWrite: Equatable, Sendable {
    let erases: Int
    let pieces: Int

    init(commandMaximum: Int) {
        (erases, pieces) = commandMaximum >= 512 ? (2, 90) : (1, 22)
    }

    /// How long it takes at `pace`.
    func length(at pace: FlashPace) -> Duration { pace.erase * erases + pace.piece * pieces }

    /// The slowest flash that could have done it in `length`, in each respect.
    func slowest(within length: Duration) -> FlashPace {
        FlashPace(erase: length / erases, piece: length / pieces)
    }

    /// The flash that took all of `length`, if it erases and writes in a stock flash's proportion.
    func proportional(within length: Duration) -> FlashPace {
        let share = length / self.length(at: .stock)
        return FlashPace(erase: FlashPace.stock.erase * share, piece: FlashPace.stock.piece * share)
    }
}
