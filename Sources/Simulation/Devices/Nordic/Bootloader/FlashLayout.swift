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
    mutating func useAdafruitBootloader() {
        bootloaderArea = 0xC000
        bootloaderRegion = 0xB000
        legacyReserve = 0x7000
    }

    package var bootloaderStart: Int { size - bootloaderArea }

    /// The address to store an image at: after the application or, for lack of room, over it; nil if it fits nowhere.
    func address(forImageOf size: Int, afterApplicationOf installed: Int) -> Int? {
        let end = bootloaderStart - Self.applicationData
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= end - $0 }
    }
}
