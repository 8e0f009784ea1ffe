extension FBeaconUpgrade {
    /// What holds on one link.
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var entry: EntryCommand?
        /// Whether the device was told to enter over it.
        var hasEntered = false
        /// What came while an answer was waited for.
        var heard: [UInt8] = []
        var strays = 0
    }

    /// What holds for one transfer.
    struct AttemptState: Sendable {
        /// The device was told to enter, and may ask for the first block over the next link: it is waited for so often.
        var pollsOnLink = 0
        /// How the device wants the payload; nil before it has asked for it.
        var mode: TransferMode?
        /// The block under way, from 0 on.
        var block = 0
        /// How often the packet under way was sent.
        var tries = 0
        /// Packets that were sent and not answered.
        var owed = 0
        /// An answer is held back that came too soon to be the packet's.
        var isDoubted = false
        /// The device has asked for the first block once more, or that has come late.
        var reopened: TransferMode?
        /// When the packet began to leave.
        var sentAt: Duration?
        /// How long the held answer took, nil where it was there before; and the quickest that was believed.
        var held: Duration?
        var quickest: Duration?
    }
}
