package import Bytes

/// A bootloader's RAM, which a reset clears and the end of a link does not.
///
/// The profile defines which part of the progress survives a link.
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
    /// The packet buffers that refused packets have taken permanently.
    package internal(set) var leakedBuffers = 0
    /// The buffer for data that waits for flash, in bootloaders that have such a ring and have used it.
    package internal(set) var ring: ChunkRing?

    init(_ settings: BootloaderSettings) {
        progress = UpdateProgress(settings)
        progress.isInitValid = !settings.initPacket.isEmpty
    }
}

package struct BootloaderIdentity: Sendable {
    package var hardwareVersion: UInt32
    /// The key that verifies signatures; nil if applications need none.
    package var key: P256PublicKey?
    package var layout: FlashLayout

    package init(hardwareVersion: UInt32 = 52, key: P256PublicKey?, layout: FlashLayout = FlashLayout()) {
        self.hardwareVersion = hardwareVersion
        self.key = key
        self.layout = layout
    }

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
    package var bootloaderRegion = 0x6000
    /// The space below the bootloader that a Legacy one reserves for the application's data.
    package var legacyReserve = 0

    package init(size: Int = 0x80000, applicationStart: Int = 0x26000) {
        self.size = size
        self.applicationStart = applicationStart
    }

    /// Changes the layout to Adafruit's bootloader, which has the same size on the nRF52832, nRF52833 and nRF52840: it
    /// starts at 74000 or F4000 and accepts images that end before its settings page. Seven pages below it belong to
    /// the application (Adafruit_nRF52_Bootloader, `linker/*.ld`, `dfu_types.h`).
    mutating func takeAdafruitBootloader() {
        bootloaderArea = 0xC000
        bootloaderRegion = 0xB000
        legacyReserve = 0x7000
    }

    package var bootloaderStart: Int { size - bootloaderArea }
    var imageEnd: Int { bootloaderStart - Self.applicationData }

    /// The address for an image of `size` bytes: after the installed application if it fits there, otherwise over it;
    /// nil if it fits nowhere.
    func place(forImageOf size: Int, besideApplicationOf installed: Int) -> Int? {
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= imageEnd - $0 }
    }
}
