import Digests

/// How far an update has come, as the bootloader's RAM has it.
public struct UpdateProgress: Codable, Hashable, Sendable {
    /// The init packet as far as it has arrived.
    public internal(set) var initPacket: [UInt8] = []
    /// How long it was announced to be.
    public internal(set) var initSize = 0
    /// Whether it was executed with success.
    public internal(set) var isInitValid = false
    /// Bytes of the image that were accepted.
    public internal(set) var offset = 0
    /// The CRC-32 of those bytes.
    public internal(set) var checksum: UInt32 = 0
    /// Bytes of the image up to the end of the last executed object.
    public internal(set) var executedOffset = 0
    /// The CRC-32 of those bytes.
    public internal(set) var executedChecksum: UInt32 = 0
    /// The size of the data object created last; 0 once it is executed.
    public internal(set) var objectSize = 0

    init() {}

    /// What the settings page remembers.
    init(_ settings: BootloaderSettings) {
        initPacket = settings.initPacket
        initSize = settings.initPacket.count
        executedOffset = settings.executedOffset
        executedChecksum = settings.executedChecksum
        discardObject()
    }

    /// Bytes of the current data object that were accepted.
    var received: Int { offset - executedOffset }

    mutating func accept(_ bytes: [UInt8]) {
        var digest = CRC32(continuing: checksum)
        if !bytes.isEmpty { digest.update(bytes[...]) }
        checksum = digest.value
        offset += bytes.count
    }

    mutating func createObject(of size: Int) {
        discardObject()
        objectSize = size
    }

    /// Flash has no room for what was accepted: back to the last executed object, the current one stays.
    mutating func rollBack() {
        offset = executedOffset
        checksum = executedChecksum
    }

    mutating func finishObject() {
        executedOffset = offset
        executedChecksum = checksum
        objectSize = 0
    }

    private mutating func discardObject() {
        rollBack()
        objectSize = 0
    }
}
