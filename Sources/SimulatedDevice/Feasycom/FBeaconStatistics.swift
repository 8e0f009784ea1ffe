/// What a beacon that takes FBeacon updates has seen in its life.
public struct FBeaconStatistics: Hashable, Sendable {
    /// Packets of any kind.
    public internal(set) var packetsReceived = 0
    /// Write Commands among them, those lost on the air included.
    public internal(set) var commandsReceived = 0
    /// Links that were taken.
    public internal(set) var links = 0
    /// Requests to open the AT engine, refused ones too.
    public internal(set) var openings = 0
    /// Requests to enter an update, refused ones too.
    public internal(set) var entryRequests = 0
    /// PINs that were tried.
    public internal(set) var pinTries = 0
    /// Wrong ones among them.
    public internal(set) var wrongPINs = 0
    /// The digits of EnterDFU that were taken, in order.
    public internal(set) var entries: [UInt8] = []
    /// Settings that were to be changed, refused ones too.
    public internal(set) var changes = 0
    /// The times that its light was on, in order.
    public internal(set) var lights: [FBeaconSignal] = []
    /// The times that its buzzer sounded, in order.
    public internal(set) var sounds: [FBeaconSignal] = []
    /// Times that the power went or a reset came.
    public internal(set) var resets = 0
    /// What came of transfers.
    public internal(set) var transfer = FBeaconRecord()

    init() {}
}

/// What happened in the transfers of an FBeacon update.
public struct FBeaconRecord: Hashable, Sendable {
    /// Opening bytes that were sent.
    public internal(set) var polls = 0
    /// Whole packets that came, wrong and repeated ones too.
    public internal(set) var packets = 0
    /// Blocks that were written.
    public internal(set) var blocks = 0
    /// Packets that had come before.
    public internal(set) var repeats = 0
    /// NAKs that were sent once the transfer was open.
    public internal(set) var refusals = 0
    /// Transfers that it ended with CAN.
    public internal(set) var cancellations = 0
    /// Transfers that the client ended with CAN.
    public internal(set) var clientCancellations = 0
    /// Transfers that it gave up because nothing came.
    public internal(set) var givenUp = 0
    /// EOTs that came.
    public internal(set) var ends = 0
    /// Images that were complete and right.
    public internal(set) var images = 0
    /// What the client should not have done, in order.
    public internal(set) var clientErrors: [FBeaconClientError] = []

    init() {}
}
