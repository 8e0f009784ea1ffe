import UpdateModel

extension LegacyProcedure {
    struct LinkState: Sendable {
        /// Whether the link carries writes of at most 20 bytes, as with stock bootloaders.
        var hasStockMTU = true
        var packetLength = LegacyQuirks.packetLength
        /// Whether the device was sent Start over an earlier link and has not restarted since, so that it refuses another.
        var isStale = false
        var quirks = LegacyQuirks.stock
        /// Whether the device also refused the Start from before SDK 7 (or its first refusal was received twice).
        var hasRefusedOldStart = false
        var attempt = AttemptState()
        /// Why the device is being restarted; nil if the restart does not count as a repetition.
        var reason: UpdateFailure?
    }

    struct AttemptState: Sendable {
        var position = 0
        /// The number of arrived bytes last reported to the observer.
        var reported = 0
        /// The device's last byte count if bytes were missing; nil after a receipt.
        var lastCount: UInt32?
    }

    struct UpdateState: Sendable {
        /// Whether Start is sent in the form from before SDK 7, because the device knows no other.
        var usesOldStart = false
        /// Whether the bootloader reports that it is Adafruit's, with a SoftDevice that the init packet lists.
        var isAdafruit = false
        /// Whether the device shows no version, but has refused an init packet from before SDK 7.
        var usesNewInit = false
        var hasSentStart = false
        /// Whether the device has been sent Start, and no reset since.
        var isStartPending = false
        /// Whether a link ended at Activate, so that the device may have started the image.
        var mayBeActivated = false
        var unansweredActivations = 0
        var restarts = 0
        /// The most bytes that the device has received over any link.
        var furthest = 0
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Whether Start was sent, and its result is unknown.
        var isStartInDoubt = false
    }
}
