/// How far a Legacy update has come (nRF5 SDK 11, `dfu_single_bank.c`); only a reset leads back.
enum LegacyStage: Hashable, Sendable {
    /// Waits for a start.
    case idle
    /// Erases; the start is answered then.
    case preparing(until: Duration)
    /// Erased.
    case ready
    /// Has a part of the init packet at least.
    case receivingInit
    /// Takes the image.
    case receivingImage
    /// The image was wrong.
    case failed
    /// The image is good and waits to be activated.
    case validated
    /// Its packet buffers were outrun, and nothing moves any more.
    case stalled
    /// On the way to a reset.
    case closing
}

/// What a write to the Packet characteristic is taken for; the last request decides.
enum LegacyPacketKind: Hashable, Sendable {
    case nothing, start, initPacket, image
}
