extension SUOTAProcedure {
    /// What holds on one link.
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        /// What the device has shown.
        var facts = DeviceFacts()
        /// Notifications are on.
        var isSubscribed = false
        /// A second 02 came after the end that may be the first one doubled.
        var hasEarlySignature = false
        var wait = Wait()
    }

    /// How the wait for one answer has gone.
    struct Wait: Sendable {
        var elapsed = Duration.zero
        /// Statuses that answered nothing.
        var strays = 0
        /// What the device counted last.
        var counted: Int?
        /// How long until its count is looked at again.
        var pause = shortPause
    }

    /// What holds since everything is sent from the first byte, until it is sent once more.
    struct AttemptState: Sendable {
        let plan: BlockPlan
        /// The PSM of the channel; nil sends in writes.
        var channel: UInt16?
        /// Bytes of a packet over the channel.
        var packetLength = 0
        /// The block under way.
        var block = 0
        /// How much has been sent.
        var position = 0
        /// The length that the device was told last.
        var announced: Int?
        /// Statuses of blocks that were counted before they came, and may still come.
        var owed = 0
        /// A 02 came before the end, over a channel, where nothing asks for one.
        var hasStrayGood = false
        var clock = UploadClock()
    }

    /// What holds over all links.
    struct UpdateState: Sendable {
        var stage = Stage.fresh
        var bank = BankState.untouched
        /// The device called itself by the new version before the update: then that proves nothing after it.
        var hadVersion = false
        /// Attempts over the channel that did not come to their end.
        var failedChannels = 0
        /// Attempts that were made because of what the device said, or failed to say.
        var restarts = 0
        var reboots = 0
    }

    /// How far the update has come.
    enum Stage: Equatable, Sendable {
        /// The device was told nothing yet.
        case fresh
        /// It was told to start.
        case begun
        /// It was told that this was all, and has not said what it thinks of it.
        case ended
        /// It has the image and may check the signature, or was restarted without a word on the image.
        case unconfirmed
        /// It has said that the image is good, or runs it.
        case verified
    }

    /// What has become of the bank that is overwritten.
    enum BankState: Equatable, Sendable {
        case untouched
        /// The first block has left, and nothing was said of it. Refusals of it come before anything is erased.
        case inDoubt
        case written
    }
}
