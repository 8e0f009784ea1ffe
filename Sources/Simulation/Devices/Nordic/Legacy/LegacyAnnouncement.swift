import Bytes

/// The content of a Start.
///
///     0  4  SoftDevice, in bytes
///     4  4  bootloader
///     8  4  application
///
/// The first dialect only has the last field. The mode comes with the request: bit 0 SoftDevice,
/// bit 1 bootloader, bit 2 application.
struct LegacyAnnouncement: Hashable, Sendable {
    let mode: UInt8
    let softDevice: Int
    let bootloader: Int
    let application: Int

    var total: Int { softDevice + bootloader + application }
    var hasSoftDevice: Bool { mode & 1 != 0 }
    var hasBootloader: Bool { mode & 2 != 0 }
    var hasApplication: Bool { mode & 4 != 0 }

    init(_ bytes: [UInt8], mode: UInt8, in dialect: LegacyPersonality.Dialect) throws(LegacyStatus) {
        var reader = ByteReader(bytes)
        func size(_ reader: inout ByteReader) throws(LegacyStatus) -> Int {
            do { return Int(try reader.integer("size", as: UInt32.self)) } catch { throw .notSupported }
        }
        switch dialect {
        case .first:
            self.mode = 4
            softDevice = 0
            bootloader = 0
        case .second:
            self.mode = mode
            softDevice = try size(&reader)
            bootloader = try size(&reader)
        }
        application = try size(&reader)
        guard reader.remaining == 0 else { throw .notSupported }
    }

    var kind: FirmwareKind {
        guard hasSoftDevice else { return hasBootloader ? .bootloader : .application }
        return bootloader > 0 ? .softDeviceAndBootloader : .softDevice
    }

    func check() throws(LegacyStatus) {
        guard !hasApplication || !hasSoftDevice && !hasBootloader else { throw .notSupported }
        guard [softDevice, bootloader, application].allSatisfy({ $0.isMultiple(of: 4) }) else {
            throw .notSupported
        }
    }
}

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
