package import Bytes

/// The content of a bootloader's RAM, which a reset clears and the end of a link does not.
///
/// The bootloader's profile defines which part of the progress survives a link.
package struct BootloaderMemory: Codable, Hashable, Sendable {
    package enum Object: UInt8, Codable, Sendable {
        case command = 1
        /// The image, a page at a time.
        case data = 2
    }

    package internal(set) var progress: UpdateProgress
    /// The object of the last Select or Create; nil after an unknown type.
    package internal(set) var object: Object? = .command
    /// The number of packets between two notifications; 0 is off.
    package internal(set) var notificationInterval: UInt16 = 0
    package internal(set) var packetsUntilNotification: UInt16 = 0
    /// The number of packet buffers that refused packets occupy until a reset.
    package internal(set) var leakedBuffers = 0
    /// The buffer for data that waits for flash; nil before its first use and in bootloaders without such a ring.
    package internal(set) var ring: ChunkRing?

    init(_ settings: BootloaderSettings) {
        progress = UpdateProgress(settings)
        progress.isInitValid = !settings.initPacket.isEmpty
    }
}

package struct BootloaderIdentity: Sendable {
    package var hardwareVersion: UInt32 = 52
    /// The key that verifies signatures; nil if applications need no signature.
    package var key: P256PublicKey?
    package var layout = FlashLayout()

    /// Whether `signature` (r and s, least significant byte first) signs `message`.
    func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key else { return true }
        let halves = (
            signature.prefix(32).reversed() as [UInt8], signature.dropFirst(32).reversed() as [UInt8]
        )
        return key.verifies(r: halves.0, s: halves.1, of: message)
    }
}

package struct UpdateProgress: Codable, Hashable, Sendable {
    package internal(set) var initPacket: [UInt8] = []
    package internal(set) var initSize = 0
    package internal(set) var isInitValid = false
    package internal(set) var offset = 0
    package internal(set) var checksum: UInt32 = 0
    /// The number of image bytes up to the end of the last executed object.
    package internal(set) var executedOffset = 0
    package internal(set) var executedChecksum: UInt32 = 0
    /// The size of the last created data object; 0 once it is executed.
    package internal(set) var objectSize = 0

    init() {}

    init(_ settings: BootloaderSettings) {
        initPacket = settings.initPacket
        initSize = settings.initPacket.count
        executedOffset = settings.executedOffset
        executedChecksum = settings.executedChecksum
        rollBack()
    }

    var received: Int { offset - executedOffset }

    mutating func accept(_ bytes: [UInt8]) {
        var digest = CRC32(continuing: checksum)
        if !bytes.isEmpty { digest.update(bytes[...]) }
        checksum = digest.value
        offset += bytes.count
    }

    mutating func createObject(of size: Int) {
        rollBack()
        objectSize = size
    }

    /// Goes back to the end of the last executed object; the current object remains, without data.
    mutating func rollBack() {
        offset = executedOffset
        checksum = executedChecksum
    }

    mutating func finishObject() {
        executedOffset = offset
        executedChecksum = checksum
        objectSize = 0
    }
}
