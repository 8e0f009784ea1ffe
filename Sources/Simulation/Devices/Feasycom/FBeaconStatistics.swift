/// What a beacon with FBeacon updates has recorded over its life.
public struct FBeaconStatistics: Hashable, Sendable {
    /// Packets of any kind.
    public internal(set) var packetsReceived = 0
    /// Write Commands among them, including those lost on the air.
    public internal(set) var commandsReceived = 0
    /// Accepted links.
    public internal(set) var links = 0
    /// Requests to open the AT engine, including refused ones.
    public internal(set) var openings = 0
    /// Requests to enter an update, including refused ones.
    public internal(set) var entryRequests = 0
    /// PINs that were tried.
    public internal(set) var pinTries = 0
    /// Wrong ones among them.
    public internal(set) var wrongPINs = 0
    /// The accepted digits of EnterDFU, in order.
    public internal(set) var entries: [UInt8] = []
    /// Attempts to change a setting, including refused ones.
    public internal(set) var changes = 0
    /// The times at which its LED was on, in order.
    public internal(set) var lights: [FBeaconSignal] = []
    /// The times at which its buzzer was on, in order.
    public internal(set) var sounds: [FBeaconSignal] = []
    /// Power losses and resets.
    public internal(set) var resets = 0
    /// The record of the transfers.
    public internal(set) var transfer = FBeaconRecord()

    init() {}
}

/// What happened in the transfers of FBeacon updates.
public struct FBeaconRecord: Hashable, Sendable {
    /// Opening bytes that were sent.
    public internal(set) var polls = 0
    /// Complete packets received, including wrong and repeated ones.
    public internal(set) var packets = 0
    /// Blocks written.
    public internal(set) var blocks = 0
    /// Repeated packets.
    public internal(set) var repeats = 0
    /// NAKs sent after the transfer was open.
    public internal(set) var refusals = 0
    /// Transfers that it ended with CAN.
    public internal(set) var cancellations = 0
    /// Transfers that the client ended with CAN.
    public internal(set) var clientCancellations = 0
    /// Transfers given up for lack of packets.
    public internal(set) var givenUp = 0
    /// EOTs received.
    public internal(set) var ends = 0
    /// Complete and valid images.
    public internal(set) var images = 0
    /// The client's errors, in order.
    public internal(set) var clientErrors: [FBeaconClientError] = []

    init() {}
}
