/// What a bootloader has recorded over its life.
public struct BootloaderStatistics: Hashable, Sendable {
    /// Data packets received.
    public internal(set) var packetsReceived = 0
    /// Data packets silently ignored because the flash queue was full or no buffer was left.
    public internal(set) var packetsDropped = 0
    /// Data objects created.
    public internal(set) var objectsCreated = 0
    /// Buffers lost since the last reset.
    public internal(set) var buffersLeaked = 0
    /// The rules that clients have broken, in order.
    public internal(set) var brokenRules: [BrokenRule] = []

    init() {}

    mutating func note(_ rule: some ClientRule) { brokenRules.append(rule.broken) }
}
