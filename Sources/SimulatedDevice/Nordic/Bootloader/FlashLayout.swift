/// Where things are in the flash of an nRF52 with SoftDevice and bootloader; addresses in bytes.
public struct FlashLayout: Hashable, Sendable {
    /// Size of the whole flash.
    public var size: Int
    /// Where the application begins (bank 0).
    public var applicationStart: Int

    /// Below the bootloader, kept free for the application's data (docs/formats/init-packet.md).
    static let applicationData = 0x3000
    /// The Master Boot Record, below the SoftDevice.
    static let masterBootRecord = 0x1000
    /// The bootloader with its settings and the MBR's parameters after it.
    public var bootloaderArea = 0x8000
    /// The largest bootloader.
    public var bootloaderRegion = 0x6000
    /// Below the bootloader, kept free by a Legacy one for the application's data.
    public var legacyReserve = 0

    /// A flash of `size` bytes whose application begins at `applicationStart`.
    public init(size: Int = 0x80000, applicationStart: Int = 0x26000) {
        self.size = size
        self.applicationStart = applicationStart
    }

    /// Makes room for Adafruit's bootloader, which is as large on the nRF52832, nRF52833 and nRF52840: it begins at 74000 or
    /// F4000, and takes what ends before its settings page. Seven pages below it are the application's
    /// (Adafruit_nRF52_Bootloader, `linker/*.ld`, `dfu_types.h`).
    mutating func takeAdafruitBootloader() {
        bootloaderArea = 0xC000
        bootloaderRegion = 0xB000
        legacyReserve = 0x7000
    }

    /// Where the bootloader begins.
    public var bootloaderStart: Int { size - bootloaderArea }

    /// Where images must end.
    var imageEnd: Int { bootloaderStart - Self.applicationData }

    /// Where an image of `size` bytes goes: after the installed application if it fits there, in its
    /// place if not; nil when it fits nowhere.
    func place(forImageOf size: Int, besideApplicationOf installed: Int) -> Int? {
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= imageEnd - $0 }
    }
}
