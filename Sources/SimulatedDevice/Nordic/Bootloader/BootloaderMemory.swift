/// What a bootloader keeps in RAM: gone after a reset, there after a link that ends.
///
/// Which part of the progress outlives a link is the personality's affair.
public struct BootloaderMemory: Codable, Hashable, Sendable {
    /// The object that Write, CRC and Execute mean.
    public enum Object: UInt8, Codable, Sendable {
        /// The init packet.
        case command = 1
        /// The image, a page at a time.
        case data = 2
    }

    /// How far the update has come.
    public internal(set) var progress: UpdateProgress
    /// Named by the last Select or Create; nil after an unknown type.
    public internal(set) var object: Object? = .command
    /// Packets between two notifications; 0 is off.
    public internal(set) var notificationInterval: UInt16 = 0
    /// Packets until the next notification.
    public internal(set) var packetsUntilNotification: UInt16 = 0
    /// Packet buffers that refused packets have taken for good.
    public internal(set) var leakedBuffers = 0
    /// Where data waits for flash, in bootloaders that have such a ring and have used it.
    public internal(set) var ring: ChunkRing?

    init(_ settings: BootloaderSettings) {
        progress = UpdateProgress(settings)
        progress.isInitValid = !settings.initPacket.isEmpty
    }
}
