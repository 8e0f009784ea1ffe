/// The stage of a Legacy update (nRF5 SDK 11, `dfu_single_bank.c`); only a reset goes back.
enum LegacyStage: Hashable, Sendable {
    /// Waits for a Start.
    case idle
    /// Erases; Start is answered after that.
    case preparing(until: Duration)
    /// Erased.
    case ready
    /// Has received part of the init packet.
    case receivingInit
    /// Receives the image.
    case receivingImage
    /// The image is invalid.
    case failed
    /// The image is valid and waits for activation.
    case validated
    /// The packet buffers overflowed, and nothing is answered any more.
    case stalled
    /// About to reset.
    case closing
}

/// The meaning of a write to the Packet characteristic, which the last request defines.
enum LegacyPacketKind: Hashable, Sendable {
    case nothing, start, initPacket, image
}
