/// What a Nordic beacon has seen in its life.
public struct NordicStatistics: Hashable, Sendable {
    /// Attribute Protocol packets of any kind.
    public internal(set) var packetsReceived = 0
    /// Write Commands among them, those lost on the air included.
    public internal(set) var commandsReceived = 0
    /// What the bootloader did with its data packets.
    public internal(set) var bootloader = BootloaderStatistics()
}
