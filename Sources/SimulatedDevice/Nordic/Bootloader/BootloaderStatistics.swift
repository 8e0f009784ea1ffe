/// What happened to the packets of a bootloader's life.
public struct BootloaderStatistics: Hashable, Sendable {
    /// Data packets that came in.
    public internal(set) var packetsReceived = 0
    /// Data packets ignored without a word: flash queue full, or no buffer left.
    public internal(set) var packetsDropped = 0
    /// Data objects that were created.
    public internal(set) var objectsCreated = 0
    /// Buffers lost since the last reset.
    public internal(set) var buffersLeaked = 0
    /// The rules that clients broke, in order.
    public internal(set) var brokenRules: [BrokenRule] = []

    init() {}

    mutating func note(_ rule: some ClientRule) { brokenRules.append(rule.broken) }
}
