/// The flash layout of an nRF52 with SoftDevice and bootloader; addresses in bytes.
public struct FlashLayout: Hashable, Sendable {
    /// Size of the whole flash.
    public var size: Int
    /// The start of the application (bank 0).
    public var applicationStart: Int

    /// The space below the bootloader that is reserved for the application's data (docs/formats/init-packet.md).
    static let applicationData = 0x3000
    /// The Master Boot Record, below the SoftDevice.
    static let masterBootRecord = 0x1000
    /// The space of the bootloader, including its settings and the MBR's parameters after it.
    public var bootloaderArea = 0x8000
    /// The largest size of the bootloader.
    public var bootloaderRegion = 0x6000
    /// The space below the bootloader that a Legacy one reserves for the application's data.
    public var legacyReserve = 0

    /// A flash of `size` bytes with the application at `applicationStart`.
    public init(size: Int = 0x80000, applicationStart: Int = 0x26000) {
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

    /// The start of the bootloader.
    public var bootloaderStart: Int { size - bootloaderArea }

    /// The limit that images must not exceed.
    var imageEnd: Int { bootloaderStart - Self.applicationData }

    /// The address for an image of `size` bytes: after the installed application if it fits there, otherwise over it;
    /// nil if it fits nowhere.
    func place(forImageOf size: Int, besideApplicationOf installed: Int) -> Int? {
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= imageEnd - $0 }
    }
}
