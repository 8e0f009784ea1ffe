extension FBeaconUpgrade {
    /// State of one link.
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var entry: EntryCommand?
        /// Whether the device was told to enter on it.
        var hasEntered = false
        /// Bytes that arrived while waiting for an answer.
        var heard: [UInt8] = []
        var strays = 0
    }

    /// State of one transfer.
    struct AttemptState: Sendable {
        /// The device was told to enter, and may request the first block over the next link: the number of
        /// waits so far.
        var pollsOnLink = 0
        /// The device's transfer mode; nil before it has requested the payload.
        var mode: TransferMode?
        /// The current block, from 0.
        var block = 0
        /// How often the current packet was sent.
        var tries = 0
        /// Packets without an answer.
        var owed = 0
        /// An answer is held back that arrived too soon to be the packet's.
        var isDoubted = false
        /// The device has requested the first block again, or an earlier request arrived late.
        var reopened: TransferMode?
        /// When the packet began to be sent.
        var sentAt: Duration?
        /// The delay of the held answer, nil if it was already queued; and the shortest delay of an accepted one.
        var held: Duration?
        var quickest: Duration?
    }
}
