extension SUOTAProcedure {
    /// State of one link.
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        /// The device's facts.
        var facts = DeviceFacts()
        /// Whether notifications are enabled.
        var isSubscribed = false
        /// A second 02 came after the end; it may be a duplicate of the first.
        var hasEarlySignature = false
        var wait = Wait()
    }

    /// State of waiting for one response.
    struct Wait: Sendable {
        var elapsed = Duration.zero
        /// The number of unrelated statuses.
        var strays = 0
        /// The device's last count.
        var counted: Int?
        /// The time until its count is read again.
        var pause = shortPause
    }

    /// State of one attempt, from the first byte until everything is sent again.
    struct AttemptState: Sendable {
        let plan: BlockPlan
        /// The PSM of the channel; nil to send in writes.
        var channel: UInt16?
        /// Bytes per packet over the channel.
        var packetLength = 0
        /// The current block.
        var block = 0
        /// The number of bytes sent.
        var position = 0
        /// The length last written to the device.
        var announced: Int?
        /// The number of statuses of blocks that were counted before their status came; they may still come.
        var owed = 0
        /// A 02 came before the end over a channel, where none is expected.
        var hasStrayGood = false
        var clock = UploadClock()
    }

    /// State over all links.
    struct UpdateState: Sendable {
        var stage = Stage.fresh
        var bank = BankState.untouched
        /// The device reported the new version before the update, so that afterwards it proves nothing.
        var hadVersion = false
        /// The number of attempts over the channel that failed.
        var failedChannels = 0
        /// The number of attempts caused by a response of the device, or by a missing one.
        var restarts = 0
        var reboots = 0
    }

    /// The stage of the update.
    enum Stage: Equatable, Sendable {
        /// No command was sent yet.
        case fresh
        /// The start command was sent.
        case begun
        /// The end command was sent, and the result is not known.
        case ended
        /// The device has the image and may be checking the signature, or was restarted without a result.
        case unconfirmed
        /// The device has accepted the image, or runs it.
        case verified
    }

    /// The state of the bank that is overwritten.
    enum BankState: Equatable, Sendable {
        case untouched
        /// The first block was sent without a result. A refusal of it would come before anything is erased.
        case inDoubt
        case written
    }
}
