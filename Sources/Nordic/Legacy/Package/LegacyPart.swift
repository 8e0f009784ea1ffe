import Bytes
package import UpdateModel

package struct LegacyPart: Hashable, Sendable {
    package let role: FirmwareRole
    /// The entries with the image; two if SoftDevice and bootloader are in separate files.
    package let binFiles: [String]
    /// The entry with the init packet; nil if there is none.
    package let datFile: String?
    package let image: [UInt8]
    /// The parsed init packet; `initPacket.bytes` is sent. Nil if there is none.
    package let initPacket: LegacyInitPacket?
    /// SHA-256 of ``image``.
    package let imageDigest: [UInt8]
    /// CRC-16/CCITT-FALSE of ``image``.
    package let imageCRC16: UInt16
    /// Bytes of the SoftDevice in the image, as announced to the device; nil if unknown.
    package let softDeviceSize: Int?
    /// Bytes of the bootloader in the image, as announced to the device; nil if unknown.
    package let bootloaderSize: Int?
    /// The manifest entry; nil in a package without a manifest.
    package let manifest: PackageManifest.Part?
    let dfuVersion: Double?

    /// The entry with the image, or the first of two.
    package var binFile: String { binFiles[0] }

    /// Bytes of the application in the image, as announced to the device.
    package var applicationSize: Int { role == .application ? image.count : 0 }

    /// Whether the image has the CRC16 in the init packet; nil if that has none.
    package var crcMatches: Bool? { initPacket?.end.crc16.map { $0 == imageCRC16 } }

    /// Whether the image has the size in the init packet; nil if that has none.
    package var lengthMatches: Bool? { initPacket?.end.length.map { Int($0) == image.count } }

    /// Whether the image has the SHA-256 in the init packet; nil if that has none.
    package var hashMatches: Bool? { initPacket?.end.digest.map { $0 == imageDigest } }

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
        do { return try IntelHexFile(parsing: text).confinedImage().bytes } catch {
            throw .hex(error, entry: entry)
        }
    }
}

extension LegacyPart {
    /// Warnings and notes: customised bootloaders may accept these, but a person should know before flashing.
    func adviceFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        func add(_ code: FailureCode, _ level: FindingLevel, _ field: String?, _ message: String) {
            found.append(finding(code, level, datFile ?? binFile, field, message))
        }
        if packet.isChecksumAlone {
            let words = "is only a CRC16, for bootloaders of SDK 4.3 to 6.1; later ones refuse it"
            add(.nordicFinding.initPacketCRCAlone, .warning, nil, words)
            return found
        }
        if !packet.padding.isEmpty {
            let count = packet.padding.count
            add(
                .nordicFinding.initPacketPadded, .note, nil,
                "has \(count) bytes after its CRC16, which bootloaders ignore")
        }
        if packet.softDeviceRequirements.isEmpty {
            add(.nordicFinding.sdReqMissing, .error, "softdevice_req", "is empty; bootloaders refuse that")
        }
        if let generation = packet.end.generation, let id = generation.extensionID {
            let words = "is \(id): stock bootloaders read a CRC16 here and refuse the extension"
            add(.nordicFinding.extensionNotStock, .warning, "ext_packet_id", words)
        }
        if packet.bytes.count > LegacyInitPacket.singleBankLimit {
            let words =
                "has \(packet.bytes.count) bytes; stock bootloaders accept up to 64, or 128 with "
            add(.nordicFinding.initPacketLong, .warning, nil, words + "two banks")
        }
        let isAdafruit = packet.deviceType == AdafruitHardware.deviceType
        if isAdafruit, role.isSystem, AdafruitHardware.chip(ofRevision: packet.deviceRevision) == nil {
            let words =
                "is \(HexText.number(packet.deviceRevision, uppercase: true)); "
                + "Adafruit's bootloader takes no system part with it"
            add(.nordicFinding.adafruitRevisionUnknown, .warning, "device_revision", words)
        }
        if packet.deviceType == .max {
            let words = "is FFFF; a device with a type of its own refuses that, as does Adafruit's bootloader"
            add(.nordicFinding.deviceTypeOpen, .note, "device_type", words)
        }
        if role == .application, packet.applicationVersion == .max {
            add(
                .nordicFinding.applicationVersionOpen, .note, "application_version",
                "is FFFFFFFF: none was given")
        }
        return found
    }

    /// Differences between the manifest and the init packet; devices use the init packet.
    func noteFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        func add(_ field: String, _ message: String) {
            found.append(
                finding(
                    .nordicFinding.metadataMismatch, .warning, PackageManifest.fileName, "manifest.\(field)",
                    message))
        }
        if let dfuVersion, let generation = packet.end.generation,
            LegacyGeneration(dfuVersion: dfuVersion) != generation
        {
            add("dfu_version", "is \(dfuVersion), the init packet is of \(generation.rawValue)")
        }
        guard let notes = manifest?.legacy.initPacketData else { return found }
        let members = Self.members(of: packet).filter {
            !packet.isChecksumAlone || $0.key == "firmware_crc16"
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            // Signatures and hashes may be written in either case.
            guard let note = notes[name], note.lowercased != value else { continue }
            let field = "\(role.rawValue).init_packet_data.\(name)"
            add(
                field,
                value == nil ? "is given here, but not in the init packet" : "differs from the init packet")
        }
        return found
    }

    /// The init packet's fields as nrfutil notes them; nil for fields that its generation does not have.
    private static func members(of packet: LegacyInitPacket) -> [String: LegacyNotes.Value?] {
        func number(_ value: (some BinaryInteger)?) -> LegacyNotes.Value? {
            value.map { .number(Double($0)) }
        }
        func text(_ bytes: [UInt8]?) -> LegacyNotes.Value? { bytes.map { .text(HexText.encode($0)) } }
        return [
            "device_type": number(packet.deviceType), "device_revision": number(packet.deviceRevision),
            "application_version": number(packet.applicationVersion),
            "softdevice_req": .numbers(packet.softDeviceRequirements.map { Double($0) }),
            "ext_packet_id": number(packet.end.generation?.extensionID),
            "firmware_crc16": number(packet.end.crc16), "firmware_length": number(packet.end.length),
            "firmware_hash": text(packet.end.digest), "init_packet_ecds": text(packet.end.signature),
        ]
    }
}

extension LegacyNotes.Value {
    fileprivate var lowercased: LegacyNotes.Value {
        if case .text(let text) = self { .text(text.lowercased()) } else { self }
    }
}

extension LegacyPart {
    /// All findings, errors first. The rules are those of the templates in nRF5 SDK 7 to 11 and of Adafruit's
    /// bootloader; anything that a customised bootloader may accept is a warning or a note.
    package func findings(key: NordicPublicKey? = nil) -> [Finding] {
        var all = sizeFindings()
        if let initPacket {
            all += integrityFindings(initPacket) + signatureFindings(initPacket, key)
            all += adviceFindings(initPacket) + noteFindings(initPacket)
        } else {
            let words = "there is no init packet; bootloaders from SDK 7 on refuse that"
            all.append(finding(.nordicFinding.initPacketMissing, .warning, binFile, nil, words))
        }
        return all.errorsFirst
    }

    private func sizeFindings() -> [Finding] {
        var found: [Finding] = []
        let words = "not a multiple of 4; bootloaders refuse it"
        if !image.count.isMultiple(of: 4) {
            found.append(
                finding(
                    .nordicFile.imageSizeRefused, .error, binFile, nil, "has \(image.count) bytes, \(words)"))
        }
        guard role == .softdeviceBootloader else { return found }
        let noted = [("sd_size", softDeviceSize), ("bl_size", bootloaderSize)]
        for (name, size) in noted where size == nil {
            found.append(
                manifestError(.nordicFile.partSizesMissing, name, "is missing; the update has to announce it")
            )
        }
        guard let softDeviceSize, let bootloaderSize else { return found }
        if softDeviceSize + bootloaderSize != image.count {
            let sum = "\(softDeviceSize) + \(bootloaderSize)"
            found.append(
                manifestError(
                    .nordicFile.partSizesMismatch, "sd_size + bl_size",
                    "are \(sum), the image has \(image.count) bytes"))
        } else if image.count.isMultiple(of: 4), !softDeviceSize.isMultiple(of: 4) {
            found.append(
                manifestError(.nordicFile.imageSizeRefused, "sd_size", "is \(softDeviceSize), \(words)"))
        }
        return found
    }

    private func integrityFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        if packet.end == .none {
            let words = "has neither a CRC16 nor a hash of the image; bootloaders refuse that"
            found.append(error(.nordicFile.checksumMissing, nil, words))
        }
        if let crc = packet.end.crc16, crc != imageCRC16 {
            let words =
                "is \(HexText.number(crc, uppercase: true)), the image has "
                + HexText.number(imageCRC16, uppercase: true)
            found.append(error(.nordicFile.crc16Mismatch, "firmware_crc16", words))
        }
        if let length = packet.end.length, Int(length) != image.count {
            let words = "is \(length), the image has \(image.count) bytes"
            found.append(error(.file.sizeMismatch, "firmware_length", words))
        }
        if hashMatches == false {
            let name = binFiles.joined(separator: " and ")
            found.append(error(.nordicFile.hashMismatch, "firmware_hash", "is not the SHA-256 of \(name)"))
        }
        return found
    }

    private func signatureFindings(_ packet: LegacyInitPacket, _ key: NordicPublicKey?) -> [Finding] {
        guard let key else { return [] }
        if packet.end.signature == nil {
            return [error(.nordicRefusal.signatureMissing, nil, "the init packet is not signed")]
        }
        guard !packet.isSigned(by: key) else { return [] }
        return [error(.nordicRefusal.signatureInvalid, "init_packet_ecds", "was not made with this key")]
    }

    private func manifestError(_ code: FailureCode, _ field: String, _ message: String) -> Finding {
        guard manifest != nil else { return finding(code, .error, binFile, nil, message) }
        return finding(code, .error, PackageManifest.fileName, "manifest.\(role.rawValue).\(field)", message)
    }

    func error(_ code: FailureCode, _ field: String?, _ message: String) -> Finding {
        finding(code, .error, datFile ?? binFile, field, message)
    }

    func finding(
        _ code: FailureCode, _ level: FindingLevel, _ entry: String, _ field: String?, _ message: String
    ) -> Finding {
        Finding(code, level, Finding.Place(entry: entry, field: field), message, part: role.rawValue)
    }
}
