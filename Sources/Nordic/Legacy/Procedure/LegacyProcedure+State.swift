import UpdateModel

extension LegacyProcedure {
    struct LinkState: Sendable {
        /// Whether the link carries writes of at most 20 bytes, as with stock bootloaders.
        var hasStockMTU = true
        var packetLength = LegacyQuirks.packetLength
        /// The device was sent Start over an earlier link and has not restarted since: it will refuse another Start.
        var isStale = false
        var quirks = LegacyQuirks.stock
        /// The device refused the Start from before SDK 7 too (or the first refusal was received twice).
        var hasRefusedOldStart = false
        var attempt = AttemptState()
        /// Why the device is being restarted; nil unless the restart counts as a repetition.
        var reason: UpdateFailure?
    }

    struct AttemptState: Sendable {
        var position = 0
        /// The number of arrived bytes last reported to the observer.
        var reported = 0
        /// The device's last byte count, if bytes were missing; nil after a receipt.
        var lastCount: UInt32?
    }

    struct UpdateState: Sendable {
        /// The device knows only the Start from before SDK 7.
        var usesOldStart = false
        /// The bootloader reports itself as Adafruit's, with a SoftDevice that the init packet lists.
        var isAdafruit = false
        /// The device shows no version, and has refused an init packet from before SDK 7.
        var usesNewInit = false
        var hasSentStart = false
        var isStartPending = false
        var mayBeActivated = false
        var unansweredActivations = 0
        var restarts = 0
        /// The most bytes that the device has received over any link.
        var furthest = 0
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        var isStartInDoubt = false
    }
}
