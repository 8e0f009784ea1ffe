/// What a beacon with SUOTA has seen in its life.
public struct SUOTAStatistics: Hashable, Sendable {
    /// Packets of any kind, those of the channel too.
    public internal(set) var packetsReceived = 0
    /// Write Commands and packets of the channel among them, those lost on the air included.
    public internal(set) var commandsReceived = 0
    /// Links that were taken.
    public internal(set) var links = 0
    /// Channels that were taken.
    public internal(set) var channels = 0
    /// What STATUS said, in order, whether or not it was heard.
    public internal(set) var statuses: [UInt8] = []
    /// Write Requests that were answered with an error.
    public internal(set) var refusals = 0
    /// What its receiver did.
    public internal(set) var receiver = SUOTARecord()

    init() {}
}
