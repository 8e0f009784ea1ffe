/// What a Nordic beacon has recorded over its life.
public struct NordicStatistics: Hashable, Sendable {
    /// Attribute Protocol packets of any kind.
    public internal(set) var packetsReceived = 0
    /// Write Commands among them, including those lost on the air.
    public internal(set) var commandsReceived = 0
    /// The bootloader's record of its packets.
    public internal(set) var bootloader = BootloaderStatistics()
}
