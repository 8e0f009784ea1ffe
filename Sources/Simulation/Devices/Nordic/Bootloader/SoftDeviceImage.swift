import Bytes

/// The header fields of a SoftDevice's image; the image begins at 0x1000 in flash, the structure at
/// 0x3000 (docs/formats/init-packet.md; nRF5 SDK 17.1, `nrf_sdm.h`).
///
///     0x2004  4  magic 51B1E5DB
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
        var reader = ByteReader(image)
        guard (try? reader.bytes("code", 0x2004)) != nil,
            (try? reader.integer("magic", as: UInt32.self)) == 0x51B1_E5DB,
            let end = try? reader.integer("end", as: UInt32.self),
            let number = try? reader.integer("FWID", as: UInt16.self)
        else { return nil }
        self.end = Int(end)
        firmwareID = number
        _ = try? reader.integer("reserved", as: UInt16.self)
        let family = (try? reader.integer("family", as: UInt32.self)) ?? 0
        let version = (try? reader.integer("version", as: UInt32.self)) ?? 0
        release =
            (100...999).contains(family) && version > 0
            ? SoftDeviceRelease(family: Int(family), major: Int(version / 1_000_000))
            : SoftDeviceRelease(firmwareID: number)
    }
}
