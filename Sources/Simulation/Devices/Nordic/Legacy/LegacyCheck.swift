import Bytes

/// The content of a Start.
///
///     0  4  size of the SoftDevice, in bytes
///     4  4  size of the bootloader
///     8  4  size of the application
///
/// A short Start has only the last field. The mode comes with the request: bit 0 SoftDevice,
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

    init(_ bytes: [UInt8], mode: UInt8, isShort: Bool) throws(LegacyStatus) {
        guard bytes.count == (isShort ? 4 : 12) else { throw .notSupported }
        self.mode = isShort ? 4 : mode
        softDevice = isShort ? 0 : bytes.field(0, 4)
        bootloader = isShort ? 0 : bytes.field(4, 4)
        application = bytes.field(isShort ? 0 : 8, 4)
    }

    var kind: FirmwareKind {
        guard hasSoftDevice else { return hasBootloader ? .bootloader : .application }
        return bootloader > 0 ? .softDeviceAndBootloader : .softDevice
    }

    func check() throws(LegacyStatus) {
        guard !hasApplication || !hasSoftDevice && !hasBootloader,
            [softDevice, bootloader, application].allSatisfy({ $0.isMultiple(of: 4) })
        else { throw .notSupported }
    }
}

extension FlashLayout {
    /// The space between SoftDevice and bootloader, without the application's reserve.
    var legacyRoom: Int { max(0, bootloaderStart - legacyReserve - applicationStart) }

    /// The size of one of two banks: half of `legacyRoom`, in whole pages (nRF5 SDK 11, `dfu_types.h`).
    var legacyBank: Int { legacyRoom / (2 * FlashModel.pageSize) * FlashModel.pageSize }

    /// The address at which an image is received, and the number of bytes erased there; throws if it does not fit.
    func legacyPlace(
        for announcement: LegacyAnnouncement, twoBanks: Bool
    ) throws(LegacyStatus) -> (address: Int, erasing: Int) {
        guard announcement.bootloader <= bootloaderRegion else { throw .sizeExceedsLimit }
        let hasOwnBank = twoBanks && !announcement.hasSoftDevice
        guard announcement.total <= (hasOwnBank ? legacyBank : legacyRoom) else {
            throw .sizeExceedsLimit
        }
        return hasOwnBank
            ? (applicationStart + legacyBank, legacyBank) : (applicationStart, announcement.total)
    }
}

/// The checks of an init packet and of its image (nRF5 SDK 11, `dfu_init_template.c` and `dfu_init_template_signing.c`;
/// Adafruit_nRF52_Bootloader, `dfu_init.c`).
struct LegacyCheck {
    let device: LegacyDevice
    let identity: BootloaderIdentity
    let softDevice: UInt16?

    private var personality: LegacyPersonality { device.personality }

    /// The length of the shortest init packet with a list of SoftDevices, in bytes.
    private static let shortest = 12

    /// Stage 1: before the image is sent.
    func accept(_ bytes: [UInt8], for mode: UInt8) throws(LegacyStatus) -> LegacyInitPacket {
        guard bytes.count >= Self.shortest, let packet = LegacyInitPacket(bytes),
            packet.extension.count >= (personality.imageCheck == .signature ? 6 : 2),
            suitsDevice(packet, mode), suitsSoftDevice(packet), isSigned(packet)
        else { throw .operationFailed }
        return packet
    }

    private func suitsDevice(_ packet: LegacyInitPacket, _ mode: UInt8) -> Bool {
        switch personality.deviceRule {
        case .information:
            [nil, packet.type].contains(device.type) && [nil, packet.revision].contains(device.revision)
        case .adafruit:
            packet.type == 0x0052 && (mode & 3 == 0 || packet.revision == device.revision ?? 0xADAF)
        }
    }

    private func suitsSoftDevice(_ packet: LegacyInitPacket) -> Bool {
        let fits = { (number: UInt16) in number == LegacyInitPacket.anySoftDevice || number == softDevice }
        guard personality.readsFirstSoftDeviceOnly else { return packet.softDevices.contains(where: fits) }
        return packet.softDevices.first.map(fits) ?? true
    }

    private func isSigned(_ packet: LegacyInitPacket) -> Bool {
        guard personality.imageCheck == .signature else { return true }
        guard packet.identifier == 2, packet.signature.count == 64 else { return false }
        guard let key = identity.key else { return true }
        return key.verifies(r: packet.signature.prefix(32), s: packet.signature.suffix(32), of: packet.signed)
    }

    /// Stage 2: whether the image in flash is the announced one.
    func passes(_ image: [UInt8], _ packet: LegacyInitPacket) -> Bool {
        let checksum = UInt32(checksum(of: image))
        switch personality.imageCheck {
        case .checksum: return packet.number(at: 0, 2) == checksum
        case .extendedChecksum: return packet.identifier == 0 && packet.number(at: 4, 2) == checksum
        case .hash: return packet.identifier == 1 && hasDigest(image, packet)
        case .signature: return hasDigest(image, packet)
        }
    }

    func checksum(of image: [UInt8]) -> UInt16 { CRC16.checksum(image, from: 0xFFFF) }

    private func hasDigest(_ image: [UInt8], _ packet: LegacyInitPacket) -> Bool {
        packet.number(at: 4, 4).map(Int.init) == image.count
            && SHA256Digest.digest(image).elementsEqual(packet.hash)
    }
}

/// An init packet as a Legacy bootloader reads it (docs/formats/nordic-legacy.md, Layout); deliberately separate from
/// the reader of packages.
struct LegacyInitPacket: Hashable, Sendable {
    let type: UInt16
    let revision: UInt16
    let version: UInt32
    let softDevices: [UInt16]
    /// The bytes after the list of SoftDevices, padded with zeros to whole words during reception.
    let `extension`: [UInt8]
    let head: [UInt8]

    static let anySoftDevice: UInt16 = 0xFFFE

    init?(_ bytes: [UInt8]) {
        let end = 10 + 2 * bytes.field(8, 2)
        guard bytes.count >= end else { return nil }
        type = UInt16(clamping: bytes.field(0, 2))
        revision = UInt16(clamping: bytes.field(2, 2))
        version = UInt32(clamping: bytes.field(4, 4))
        softDevices = stride(from: 10, to: end, by: 2).map { UInt16(clamping: bytes.field($0, 2)) }
        head = Array(bytes[..<end])
        `extension` = Array(bytes[end...])
    }

    /// A number in the extension; nil past its end.
    func number(at offset: Int, _ width: Int) -> UInt32? {
        let bytes = `extension`.dropFirst(offset).prefix(width)
        return bytes.count == width ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    var identifier: UInt32? { number(at: 0, 4) }
    var hash: ArraySlice<UInt8> { `extension`.dropFirst(8).prefix(32) }
    /// The signature after the hash: r, s.
    var signature: ArraySlice<UInt8> { `extension`.dropFirst(40).prefix(64) }
    var signed: [UInt8] { head + `extension`.prefix(40) }
}
