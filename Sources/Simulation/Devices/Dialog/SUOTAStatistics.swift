/// What a beacon with SUOTA has recorded over its life.
public struct SUOTAStatistics: Hashable, Sendable {
    /// Packets of any kind, including those of the channel.
    public internal(set) var packetsReceived = 0
    /// Write Commands and channel packets among them, including those lost on the air.
    public internal(set) var commandsReceived = 0
    /// Accepted links.
    public internal(set) var links = 0
    /// Accepted channels.
    public internal(set) var channels = 0
    /// The values of STATUS, in order, whether or not they were received.
    public internal(set) var statuses: [UInt8] = []
    /// Write Requests answered with an error.
    public internal(set) var refusals = 0
    /// The record of its receiver.
    public internal(set) var receiver = SUOTARecord()

    init() {}
}
