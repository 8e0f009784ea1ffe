/// The information structure that a SoftDevice has in its own image.
///
/// The structure is in a page of its own (4096 bytes). On nRF52 it is the second page after the master boot record,
/// at 3000 of the flash; older SoftDevices have it some pages higher:
///
///      0  4  bytes of the structure      8  4  bytes of the SoftDevice
///      4  4  51B1E5DB                   12  2  id (FWID)
///
/// (nRF5 SDK 17.1, `nrf_sdm.h`.)
package struct SoftDeviceInformation: Hashable, Sendable {
    /// The FWID that `sd_req` lists.
    package let id: UInt32

    /// Finds the structure in an image without master boot record; nil if it is not in the first pages.
    package init?(in image: [UInt8]) {
        for start in stride(from: 0, through: 6 * 0x1000, by: 0x1000) {
            guard start + 14 <= image.count else { return nil }
            guard image[start + 4..<start + 8] == [0xDB, 0xE5, 0xB1, 0x51] else { continue }
            id = UInt32(image[start + 12]) | UInt32(image[start + 13]) << 8
            return
        }
        return nil
    }
}
