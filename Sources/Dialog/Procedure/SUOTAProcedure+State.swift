/// What is known of the link, of the attempt and of the whole update.
extension SUOTAProcedure {
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var facts = DeviceFacts()
        var isSubscribed = false
        /// A second 02 came after the end command; it may be the result of the signature check, or a duplicate.
        var hasEarlySignature = false
        var wait = Wait()
    }

    struct Wait: Sendable {
        var elapsed = Duration.zero
        var strays = 0
        /// The highest byte count of the device in this wait; nil before the first.
        var counted: Int?
        var pause = shortPause
    }

    /// State of one attempt to send the whole image.
    struct AttemptState: Sendable {
        let plan: BlockPlan
        /// The PSM of the channel; nil for writes to the service.
        var channel: UInt16?
        var packetLength = 0
        /// The number of the current block, from 0, and the number of bytes sent.
        var block = 0
        var position = 0
        /// The block length in bytes that the device has; nil before the first.
        var announced: Int?
        /// The number of blocks that the device's count confirmed, and whose missing statuses may still come.
        var lateStatuses = 0
        /// A 02 came over a channel before the end command, where none is expected.
        var hasStrayGood = false
        var clock = UploadClock()
    }

    struct UpdateState: Sendable {
        var stage = Stage.fresh
        var bank = BankState.untouched
        /// The device reported the new version before the update, so that afterwards it proves nothing.
        var hadVersion = false
        /// The number of attempts whose channel was refused, or over which no response came in time.
        var failedChannels = 0
        /// The number of further attempts after a refusal, a missing response, or a link lost after the end command.
        var restarts = 0
        var reboots = 0
    }

    enum Stage: Equatable, Sendable {
        case fresh
        case begun
        /// The end command was sent, and the result is not known.
        case ended
        /// The device has the image and may be checking the signature, or was restarted without a result.
        case unconfirmed
        /// The device has accepted the image, or runs it.
        case verified
    }

    enum BankState: Equatable, Sendable {
        case untouched
        /// The first block was sent, and its result is not known; most refusals come before anything is erased.
        case inDoubt
        case written
    }
}
