import Bytes

/// One image of a Legacy package and its init packet.
public struct LegacyPart: Hashable, Sendable {
    /// The part's role.
    public let role: FirmwareRole
    /// The entries with the image; two if SoftDevice and bootloader are in separate files.
    public let binFiles: [String]
    /// The entry with the init packet; nil if there is none.
    public let datFile: String?
    /// The image as sent.
    public let image: [UInt8]
    /// The parsed init packet; `initPacket.bytes` is sent. Nil if there is none.
    public let initPacket: LegacyInitPacket?
    /// SHA-256 of ``image``.
    public let imageDigest: [UInt8]
    /// CRC-16/CCITT-FALSE of ``image``.
    public let imageCRC16: UInt16
    /// Bytes of the SoftDevice in the image, as announced to the device; nil if unknown.
    public let softDeviceSize: Int?
    /// Bytes of the bootloader in the image, as announced to the device; nil if unknown.
    public let bootloaderSize: Int?
    /// The manifest entry; nil in a package without a manifest.
    public let manifest: PackageManifest.Part?
    let dfuVersion: Double?

    /// The entry with the image, or the first of two.
    public var binFile: String { binFiles[0] }

    /// Bytes of the application in the image, as announced to the device.
    public var applicationSize: Int { role == .application ? image.count : 0 }

    /// Whether the image has the CRC16 in the init packet; nil if that has none.
    public var crcMatches: Bool? { initPacket?.end.crc16.map { $0 == imageCRC16 } }

    /// Whether the image has the size in the init packet; nil if that has none.
    public var lengthMatches: Bool? { initPacket?.end.length.map { Int($0) == image.count } }

    /// Whether the image has the SHA-256 in the init packet; nil if that has none.
    public var hashMatches: Bool? { initPacket?.end.digest.map { $0 == imageDigest } }

    /// The part that a manifest names.
    init(
        _ part: PackageManifest.Part, dfuVersion: Double?, in archive: borrowing ZipReader,
        limits: ArchiveLimits
    ) throws(PackageError) {
        let packet = try Self.initPacket(part.datFile, besides: [part.binFile], of: part.role, in: archive)
        let image = try archive.contents(of: part.binFile, for: part.role, atMost: limits.entryBytes)
        let isBoth = part.role == .softdeviceBootloader
        self.init(
            role: part.role, binFiles: [part.binFile], datFile: part.datFile, image: image,
            initPacket: packet,
            sizes: isBoth
                ? (
                    part.legacy.softdeviceSize ?? part.softdeviceSize,
                    part.legacy.bootloaderSize ?? part.bootloaderSize
                )
                : Self.sizes(of: image, as: part.role),
            manifest: part, dfuVersion: dfuVersion)
    }

    /// A part of a package without a manifest.
    init(
        _ part: LegacyFiles.Part, in archive: borrowing ZipReader, limits: ArchiveLimits
    ) throws(PackageError) {
        var packet: LegacyInitPacket?
        if let datFile = part.datFile {
            packet = try Self.initPacket(datFile, besides: part.binFiles, of: part.role, in: archive)
        }
        var images: [[UInt8]] = []
        for name in part.binFiles {
            let content = try archive.contents(of: name, for: part.role, atMost: limits.entryBytes)
            images.append(name.hasSuffix(".hex") ? try Self.flattened(content, entry: name) : content)
        }
        self.init(
            role: part.role, binFiles: part.binFiles, datFile: part.datFile, image: images.flatMap(\.self),
            initPacket: packet,
            sizes: images.count == 2
                ? (images[0].count, images[1].count) : Self.sizes(of: images[0], as: part.role),
            manifest: nil, dfuVersion: nil)
    }

    private init(
        role: FirmwareRole, binFiles: [String], datFile: String?, image: [UInt8],
        initPacket: LegacyInitPacket?, sizes: (softDevice: Int?, bootloader: Int?),
        manifest: PackageManifest.Part?, dfuVersion: Double?
    ) {
        self.role = role
        self.binFiles = binFiles
        self.datFile = datFile
        self.image = image
        self.initPacket = initPacket
        imageDigest = SHA256Digest.digest(image)
        imageCRC16 = CRC16.checksum(image, from: 0xFFFF)
        softDeviceSize = sizes.softDevice
        bootloaderSize = sizes.bootloader
        self.manifest = manifest
        self.dfuVersion = dfuVersion
    }

    private static func sizes(of image: [UInt8], as role: FirmwareRole) -> (Int?, Int?) {
        (role == .softdevice ? image.count : 0, role == .bootloader ? image.count : 0)
    }

    private static func initPacket(
        _ name: String, besides images: [String], of role: FirmwareRole, in archive: borrowing ZipReader
    ) throws(PackageError) -> LegacyInitPacket {
        let bytes = try archive.initPacket(
            of: name, besides: images, for: role, atMost: NordicPackage.initPacketLimit)
        do { return try LegacyInitPacket(parsing: bytes) } catch { throw .initPacket(error, entry: name) }
    }

    private static func flattened(_ text: [UInt8], entry: String) throws(PackageError) -> [UInt8] {
        do { return try IntelHexFile(parsing: text).nordicImage().bytes } catch {
            throw .hex(error, entry: entry)
        }
    }
}
