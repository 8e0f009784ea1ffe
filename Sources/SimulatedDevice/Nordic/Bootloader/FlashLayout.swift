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
    static let bootloaderArea = 0x8000
    /// The largest bootloader.
    static let bootloaderRegion = 0x6000

    /// A flash of `size` bytes whose application begins at `applicationStart`.
    public init(size: Int = 0x80000, applicationStart: Int = 0x26000) {
        self.size = size
        self.applicationStart = applicationStart
    }

    /// Where the bootloader begins.
    public var bootloaderStart: Int { size - Self.bootloaderArea }

    /// Where images must end.
    var imageEnd: Int { bootloaderStart - Self.applicationData }

    /// Where an image of `size` bytes goes: after the installed application if it fits there, in its
    /// place if not; nil when it fits nowhere.
    func place(forImageOf size: Int, besideApplicationOf installed: Int) -> Int? {
        let second = applicationStart + FlashModel.pages(in: installed) * FlashModel.pageSize
        return [second, applicationStart].first { size <= imageEnd - $0 }
    }
}
