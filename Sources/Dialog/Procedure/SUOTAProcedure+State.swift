extension SUOTAProcedure {
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var facts = DeviceFacts()
        var isSubscribed = false
        /// Whether a second 02 came early after the end command: the result of the signature check, or a duplicate.
        var hasEarlySignature = false
        var wait = Wait()
    }

    struct Wait: Sendable {
        var elapsed = Duration.zero
        var strays = 0
        /// The device's highest byte count in this wait; nil before the first.
        var counted: Int?
        var pause = shortPause
    }

    /// State of one attempt to send the whole image.
    struct AttemptState: Sendable {
        let plan: BlockPlan
        /// The PSM of the channel; nil for writes to the service.
        var channel: UInt16?
        var packetLength = 0
        /// The number of the current block, from 0.
        var block = 0
        /// The number of bytes sent.
        var position = 0
        /// The block length that was last written to the device, in bytes; nil before the first.
        var announced: Int?
        /// The number of statuses that may still come, for blocks that the device's count has confirmed.
        var lateStatuses = 0
        /// Whether an unexpected 02 came before the end command while a channel was used.
        var hasStrayGood = false
        var clock = UploadClock()
    }

    struct UpdateState: Sendable {
        var stage = Stage.fresh
        var bank = BankState.untouched
        /// Whether the device reported the new version before the update, so that the version cannot confirm the update.
        var hadVersion = false
        /// The number of attempts whose channel was refused, or whose responses did not come in time.
        var failedChannels = 0
        /// The number of further attempts after a refusal, a missing response, or a link lost after the end command.
        var restarts = 0
        var reboots = 0
    }

    enum Stage: Equatable, Sendable {
        case fresh
        case begun
        /// The end command was sent, and its result is unknown.
        case ended
        /// The device has the image, and is checking its signature or was restarted without a result.
        case unconfirmed
        /// The device has accepted the image, or runs it.
        case verified
    }

    enum BankState: Equatable, Sendable {
        case untouched
        /// The first block was sent, and its result is unknown; most refusals come before an erase.
        case inDoubt
        case written
    }
}
