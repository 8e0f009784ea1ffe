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

struct SoftDeviceRelease: Hashable, Sendable {
    let family: Int
    let major: Int
}

extension SoftDeviceRelease {
    /// The release of a published SoftDevice; nil for an FWID that is not in the table of nrfutil 6.1.
    init?(firmwareID: UInt16) {
        guard let known = Self.known.first(where: { $0.firmwareIDs.contains(firmwareID) }) else { return nil }
        self.init(family: known.family, major: known.major)
    }

    private static let known: [(family: Int, major: Int, firmwareIDs: Set<UInt16>)] = [
        (112, 6, [0xA7, 0xB0, 0xB8]), (112, 7, [0xC4, 0xCD, 0x103, 0x126]),
        (113, 7, [0xC3, 0xCC, 0x102, 0x125]), (122, 8, [0xEA, 0x112]), (130, 1, [0x67]),
        (130, 2, [0x80, 0x87]), (132, 2, [0x81, 0x88]), (132, 3, [0x8C, 0x91]),
        (132, 4, [0x95, 0x98, 0x99, 0x9E, 0x9F]), (132, 5, [0x9D, 0xA5]), (132, 6, [0xA8, 0xAF, 0xB7]),
        (132, 7, [0xC2, 0xCB, 0x101, 0x117, 0x124]), (140, 6, [0xA9, 0xAE, 0xB6]),
        (140, 7, [0xC1, 0xCA, 0x100, 0x123]), (212, 6, [0xBC]), (332, 6, [0xBA]), (340, 6, [0xB9]),
    ]
}

package enum SoftDeviceCheck: Hashable, Sendable {
    /// The SoftDevice has the magic number and a possible end address.
    case structure
    /// A SoftDevice that comes alone has the major version of the installed one.
    case major
    /// A SoftDevice that comes alone is of the family of the installed one.
    case family
}
