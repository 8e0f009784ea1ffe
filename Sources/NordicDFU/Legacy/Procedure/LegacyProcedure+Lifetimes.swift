import UpdateCore

/// What stands beside the state, by how long it holds.
extension LegacyProcedure {
    /// What holds on one link.
    struct LinkState: Sendable {
        /// The device takes no longer writes than stock bootloaders do.
        var hasStockMTU = true
        /// The device was sent Start over an earlier link, and was not restarted since: it will refuse another Start.
        var isStale = false
        var quirks = LegacyQuirks.stock
        /// The device was heard to refuse the Start from before SDK 7 too, unless this was the first refusal, told
        /// twice.
        var hasRefusedOldStart = false
        var attempt = AttemptState()
        /// Why the device is being restarted; nil where that is not a repetition of its own.
        var reason: UpdateFailure?
    }

    /// What holds since the image is sent from its first byte.
    struct AttemptState: Sendable {
        /// How much of the image has been sent.
        var position = 0
        /// Up to where bytes were told to have arrived.
        var told = 0
        /// How many bytes the device had when it was asked, and had not all.
        var lastCount: UInt32?
    }

    /// What holds over all links.
    struct UpdateState: Sendable {
        /// The device knows only the Start from before SDK 7.
        var saysOldStart = false
        /// The device shows no version and has refused an init packet as before SDK 7.
        var saysNewInit = false
        /// The device was sent Start at some time.
        var hasStarted = false
        /// The same, and it was not restarted since.
        var isUnderWay = false
        /// A link ended after Activate, before that was acknowledged.
        var mayBeActivated = false
        var unansweredActivations = 0
        var restarts = 0
        var fruitlessRestarts = 0
        /// The most that the device has ever received.
        var furthest = 0
        /// What was made of the application, as far as answers tell; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Start was not answered.
        var isStartInDoubt = false
    }
}
