import Bytes

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
        discardObject()
    }

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

    /// Flash has no room for the accepted bytes: goes back to the last executed object; the current one remains.
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
