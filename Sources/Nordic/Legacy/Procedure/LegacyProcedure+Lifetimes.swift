import UpdateModel

/// State of the procedure, grouped by lifetime.
extension LegacyProcedure {
    /// State of one link.
    struct LinkState: Sendable {
        /// The device takes no longer writes than stock bootloaders do.
        var hasStockMTU = true
        /// The device was sent Start over an earlier link and has not restarted since: it will refuse another Start.
        var isStale = false
        var quirks = LegacyQuirks.stock
        /// The device has refused the Start from before SDK 7 too (unless this was the first refusal, received
        /// twice).
        var hasRefusedOldStart = false
        var attempt = AttemptState()
        /// Why the device is being restarted; nil unless the restart counts as a repetition.
        var reason: UpdateFailure?
    }

    /// State since the image is sent from its first byte.
    struct AttemptState: Sendable {
        /// The number of image bytes sent.
        var position = 0
        /// The number of arrived bytes last reported to the observer.
        var told = 0
        /// The number of bytes at the last request, if the image was incomplete.
        var lastCount: UInt32?
    }

    /// State over all links.
    struct UpdateState: Sendable {
        /// The device knows only the Start from before SDK 7.
        var saysOldStart = false
        /// The device shows no version, and has refused an init packet from before SDK 7.
        var saysNewInit = false
        /// The device was sent Start at some time.
        var hasStarted = false
        /// The device was sent Start and has not restarted since.
        var isUnderWay = false
        /// A link ended after Activate, before its acknowledgement.
        var mayBeActivated = false
        var unansweredActivations = 0
        var restarts = 0
        var fruitlessRestarts = 0
        /// The largest number of bytes that the device has received over any link.
        var furthest = 0
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// There was no response to Start.
        var isStartInDoubt = false
    }
}
