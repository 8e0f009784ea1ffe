/// A bootloader's RAM, which a reset clears and the end of a link does not.
///
/// The profile defines which part of the progress survives a link.
public struct BootloaderMemory: Codable, Hashable, Sendable {
    /// The object that Write, CRC and Execute refer to.
    public enum Object: UInt8, Codable, Sendable {
        /// The init packet.
        case command = 1
        /// The image, a page at a time.
        case data = 2
    }

    /// The progress of the update.
    public internal(set) var progress: UpdateProgress
    /// The object of the last Select or Create; nil after an unknown type.
    public internal(set) var object: Object? = .command
    /// The number of packets between two notifications; 0 is off.
    public internal(set) var notificationInterval: UInt16 = 0
    /// The number of packets until the next notification.
    public internal(set) var packetsUntilNotification: UInt16 = 0
    /// The packet buffers that refused packets have taken permanently.
    public internal(set) var leakedBuffers = 0
    /// The buffer for data that waits for flash, in bootloaders that have such a ring and have used it.
    public internal(set) var ring: ChunkRing?

    init(_ settings: BootloaderSettings) {
        progress = UpdateProgress(settings)
        progress.isInitValid = !settings.initPacket.isEmpty
    }
}
