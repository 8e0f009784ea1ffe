/// The longest times that a device's flash takes, as far as known.
struct FlashPace: Equatable, Sendable {
    /// Erasing a page.
    var erase: Duration
    /// Writing 20 bytes, the unit that is passed to the SoftDevice.
    var piece: Duration

    /// The stock bootloader on an nRF52 (nordic-secure.md, Timing).
    static let stock = FlashPace(erase: .milliseconds(90), piece: .microseconds(1100))
    /// Bytes per write.
    static let pieceSize = 20
    /// Plausible erase times; estimates are limited to these.
    private static let erases = Duration.milliseconds(1)...Duration.milliseconds(600)
    private static let pieces = Duration.microseconds(10)...Duration.milliseconds(10)

    /// The time to write a packet of `payload` bytes.
    func packet(_ payload: Int) -> Duration { piece * ((payload + Self.pieceSize - 1) / Self.pieceSize) }

    /// The pace, limited to plausible values.
    var bounded: FlashPace {
        FlashPace(
            erase: min(max(erase, Self.erases.lowerBound), Self.erases.upperBound),
            piece: min(max(piece, Self.pieces.lowerBound), Self.pieces.upperBound))
    }
}

/// What Execute of a new init packet writes: one or two copies of the settings.
///
/// SDK 15.3 and later write two copies of 896 bytes, earlier ones write one of 440 bytes; bootloaders with two copies
/// take init packets of 512 bytes (nordic-secure.md, Timing).
struct SettingsWrite: Equatable, Sendable {
    let erases: Int
    let pieces: Int

    init(commandMaximum: Int) {
        (erases, pieces) = commandMaximum >= 512 ? (2, 90) : (1, 22)
    }

    /// The time it takes at `pace`.
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
