extension FlashLayout {
    /// What lies between the SoftDevice and the bootloader, without what is the application's.
    var legacyRoom: Int { max(0, bootloaderStart - legacyReserve - applicationStart) }

    /// One of two banks: half of that, in whole pages (nRF5 SDK 11, `dfu_types.h`).
    var legacyBank: Int { legacyRoom / (2 * FlashModel.pageSize) * FlashModel.pageSize }

    /// Where an image is received and what is erased for it; refused when there is no room.
    func legacyPlace(
        for announcement: LegacyAnnouncement, twoBanks: Bool
    ) throws(LegacyStatus) -> (address: Int, erasing: Int) {
        guard announcement.bootloader <= bootloaderRegion else { throw .sizeExceedsLimit }
        let isBesideApplication = twoBanks && !announcement.hasSoftDevice
        guard announcement.total <= (isBesideApplication ? legacyBank : legacyRoom) else {
            throw .sizeExceedsLimit
        }
        return isBesideApplication
            ? (applicationStart + legacyBank, legacyBank) : (applicationStart, announcement.total)
    }
}
