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

/// The flash layout of an nRF52 with SoftDevice and bootloader; addresses in bytes.
package struct FlashLayout: Hashable, Sendable {
    package var size: Int
    package var applicationStart: Int

    /// The space below the bootloader that is reserved for the application's data (docs/formats/init-packet.md).
    static let applicationData = 0x3000
    static let masterBootRecord = 0x1000
    /// The space of the bootloader, including its settings and the MBR's parameters after it.
    package var bootloaderArea = 0x8000
    /// The size of the largest bootloader that an update may install.
    package var bootloaderRegion = 0x6000
    /// The space below a Legacy bootloader that it reserves for the application's data.
    package var legacyReserve = 0

    package init(size: Int = 0x80000, applicationStart: Int = 0x26000) {
        (self.size, self.applicationStart) = (size, applicationStart)
    }

    /// Changes the layout to Adafruit's bootloader, which has the same size on the nRF52832, nRF52833 and nRF52840: it
    /// starts at 0x74000 or 0xF4000 and accepts images that end before its settings page. Seven pages below it belong
    /// to the application (Adafruit_nRF52_Bootloader, `linker/*.ld`, `dfu_types.h`).
    mutating func takeAdafruitBootloader() {
        bootloaderArea = 0xC000
        bootloaderRegion = 0xB000
        legacyReserve = 0x7000
    }

    package var bootloaderStart: Int { size - bootloaderArea }

    /// The address to store an image at: after the application or, for lack of room, over it; nil if it fits nowhere.
    func place(forImageOf size: Int, besideApplicationOf installed: Int) -> Int? {
        let end = bootloaderStart - Self.applicationData
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= end - $0 }
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

/// The header fields of a SoftDevice's image; the image begins at 0x1000 in flash, the structure at
/// 0x3000 (docs/formats/init-packet.md; nRF5 SDK 17.1, `nrf_sdm.h`).
///
///     0x2004  4  magic 0x51B1E5DB
///     0x2008  4  end of the SoftDevice in flash, including the 0x1000 bytes below it
///     0x200C  2  FWID
///     0x2010  4  family, such as 132; 0 in images without one
///     0x2014  4  version: major × 1 000 000 + minor × 1000 + patch
struct SoftDeviceImage {
    let end: Int
    let firmwareID: UInt16
    /// The release in the image, or the known release of its FWID; nil if neither is available.
    let release: SoftDeviceRelease?

    init?(_ image: [UInt8]) {
        guard image.count >= 0x200E, image.field(0x2004, 4) == 0x51B1_E5DB else { return nil }
        end = image.field(0x2008, 4)
        firmwareID = UInt16(clamping: image.field(0x200C, 2))
        let (family, version) = (image.field(0x2010, 4), image.field(0x2014, 4))
        release =
            image.count >= 0x2018 && (100...999).contains(family) && version > 0
            ? SoftDeviceRelease(family: family, major: version / 1_000_000)
            : SoftDeviceRelease(firmwareID: firmwareID)
    }
}
