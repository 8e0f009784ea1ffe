extension FlashLayout {
    /// The space between SoftDevice and bootloader, without the application's reserve.
    var legacyRoom: Int { max(0, bootloaderStart - legacyReserve - applicationStart) }

    /// The size of one of two banks: half of that, in whole pages (nRF5 SDK 11, `dfu_types.h`).
    var legacyBank: Int { legacyRoom / (2 * FlashModel.pageSize) * FlashModel.pageSize }

    /// The address at which an image is received, and the range erased for it; refused if it does not fit.
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
