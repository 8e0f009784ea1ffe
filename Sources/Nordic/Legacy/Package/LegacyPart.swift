import Bytes
package import UpdateModel

package struct LegacyPart: PackagePart {
    package let role: FirmwareRole
    /// The entries with the image; two if SoftDevice and bootloader are in separate files.
    package let binFiles: [String]
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
    package let manifest: PackageManifest.Part?
    let dfuVersion: Double?

    package var binFile: String { binFiles[0] }
    package var packetFile: String { datFile ?? binFile }
    /// Bytes of the application in the image, as announced to the device.
    package var applicationSize: Int { role == .application ? image.count : 0 }

    /// Whether the image has the CRC16, the size and the SHA-256 in the init packet; nil if that has no such field.
    package var crcMatches: Bool? { initPacket?.end.crc16.map { $0 == imageCRC16 } }
    package var lengthMatches: Bool? { initPacket?.end.length.map { Int($0) == image.count } }
    package var hashMatches: Bool? { initPacket?.end.digest.map { $0 == imageDigest } }

    /// Reads the part from `files`; `manifest` and `dfuVersion` are nil in a package without a manifest.
    init(
        _ files: LegacyFiles, manifest: PackageManifest.Part? = nil, dfuVersion: Double? = nil,
        in archive: borrowing ZipReader, limits: ArchiveLimits
    ) throws(PackageError) {
        if let datFile = files.datFile {
            let bytes = try archive.initPacket(
                of: datFile, besides: files.binFiles, for: files.role, atMost: NordicPackage.initPacketLimit)
            do { initPacket = try LegacyInitPacket(parsing: bytes) } catch {
                throw .initPacket(error, entry: datFile)
            }
        } else {
            initPacket = nil
        }
        var images: [[UInt8]] = []
        for name in files.binFiles {
            let content = try archive.contents(of: name, for: files.role, atMost: limits.entryBytes)
            let isHex = manifest == nil && name.hasSuffix(".hex")
            images.append(isHex ? try Self.flattened(content, entry: name) : content)
        }
        (role, binFiles, datFile) = (files.role, files.binFiles, files.datFile)
        image = images.flatMap(\.self)
        imageDigest = SHA256Digest.digest(image)
        imageCRC16 = CRC16.checksum(image, from: 0xFFFF)
        switch (role, manifest) {
        case (.softdeviceBootloader, let manifest?):
            softDeviceSize = manifest.legacy.softdeviceSize ?? manifest.softdeviceSize
            bootloaderSize = manifest.legacy.bootloaderSize ?? manifest.bootloaderSize
        case (.softdeviceBootloader, nil):
            softDeviceSize = images.first?.count
            bootloaderSize = images.last?.count
        default:
            softDeviceSize = role == .softdevice ? image.count : 0
            bootloaderSize = role == .bootloader ? image.count : 0
        }
        (self.manifest, self.dfuVersion) = (manifest, dfuVersion)
    }

    private static func flattened(_ text: [UInt8], entry: String) throws(PackageError) -> [UInt8] {
        do { return try IntelHexFile(parsing: text).confinedImage().bytes } catch {
            throw .hex(error, entry: entry)
        }
    }
}

extension LegacyPart {
    /// All findings, errors first, by the rules of the templates in nRF5 SDK 7 to 11 and of Adafruit's bootloader. What a
    /// customised bootloader may accept is a warning or a note.
    package func findings(key: NordicPublicKey? = nil) -> [Finding] { allFindings(key).errorsFirst }

    @ListBuilder<Finding> private func allFindings(_ key: NordicPublicKey?) -> [Finding] {
        sizeFindings
        if let initPacket {
            integrityFindings(initPacket)
            signatureFindings(initPacket, key)
            if initPacket.isChecksumAlone {
                warning(
                    .nordicFinding.initPacketCRCAlone, nil,
                    "is only a CRC16, for bootloaders of SDK 4.3 to 6.1; later ones refuse it")
            } else {
                adviceFindings(initPacket)
            }
            noteFindings(initPacket)
        } else {
            warning(
                .nordicFinding.initPacketMissing, nil, in: binFile,
                "there is no init packet; bootloaders from SDK 7 on refuse that")
        }
    }

    @ListBuilder<Finding> private var sizeFindings: [Finding] {
        let words = "not a multiple of 4; bootloaders refuse it"
        let isWhole = image.count.isMultiple(of: 4)
        if !isWhole {
            error(.nordicFile.imageSizeRefused, nil, in: binFile, "has \(image.count) bytes, \(words)")
        }
        if role == .softdeviceBootloader {
            for (name, size) in [("sd_size", softDeviceSize), ("bl_size", bootloaderSize)] {
                if size == nil {
                    manifestError(
                        .nordicFile.partSizesMissing, name, "is missing; the update has to announce it")
                }
            }
            if let softDeviceSize, let bootloaderSize {
                if softDeviceSize.addingReportingOverflow(bootloaderSize) != (image.count, false) {
                    manifestError(
                        .nordicFile.partSizesMismatch, "sd_size + bl_size",
                        "are \(softDeviceSize) + \(bootloaderSize), the image has \(image.count) bytes")
                } else if isWhole, !softDeviceSize.isMultiple(of: 4) {
                    manifestError(.nordicFile.imageSizeRefused, "sd_size", "is \(softDeviceSize), \(words)")
                }
            }
        }
    }

    private func manifestError(_ code: FailureCode, _ field: String, _ message: String) -> Finding {
        manifest == nil
            ? error(code, nil, in: binFile, message)
            : error(code, "manifest.\(role.rawValue).\(field)", in: PackageManifest.fileName, message)
    }

    @ListBuilder<Finding> private func integrityFindings(_ packet: LegacyInitPacket) -> [Finding] {
        if packet.end.generation == nil {
            error(
                .nordicFile.checksumMissing, nil,
                "has neither a CRC16 nor a hash of the image; bootloaders refuse that")
        }
        if let crc = packet.end.crc16, crc != imageCRC16 {
            error(
                .nordicFile.crc16Mismatch, "firmware_crc16",
                "is \(crc.hex), the image has \(imageCRC16.hex)")
        }
        if let length = packet.end.length, Int(length) != image.count {
            error(.file.sizeMismatch, "firmware_length", "is \(length), the image has \(image.count) bytes")
        }
        if hashMatches == false {
            let name = binFiles.joined(separator: " and ")
            error(.nordicFile.hashMismatch, "firmware_hash", "is not the SHA-256 of \(name)")
        }
    }

    @ListBuilder<Finding> private func signatureFindings(
        _ packet: LegacyInitPacket, _ key: NordicPublicKey?
    ) -> [Finding] {
        if let key {
            if packet.end.signature == nil {
                error(.nordicRefusal.signatureMissing, nil, "the init packet is not signed")
            } else if !packet.isSigned(by: key) {
                error(.nordicRefusal.signatureInvalid, "init_packet_ecds", "was not made with this key")
            }
        }
    }

    @ListBuilder<Finding> private func adviceFindings(_ packet: LegacyInitPacket) -> [Finding] {
        if !packet.padding.isEmpty {
            note(
                .nordicFinding.initPacketPadded, nil,
                "has \(packet.padding.count) bytes after its CRC16, which bootloaders ignore")
        }
        if packet.softDeviceRequirements.isEmpty {
            error(.nordicFinding.sdReqMissing, "softdevice_req", "is empty; bootloaders refuse that")
        }
        if let id = packet.end.generation?.extensionID {
            warning(
                .nordicFinding.extensionNotStock, "ext_packet_id",
                "is \(id): stock bootloaders read a CRC16 here and refuse the extension")
        }
        if packet.bytes.count > LegacyInitPacket.singleBankLimit {
            warning(
                .nordicFinding.initPacketLong, nil,
                "has \(packet.bytes.count) bytes; stock bootloaders accept up to 64, or 128 with two banks")
        }
        let isAdafruit = packet.deviceType == AdafruitHardware.deviceType
        if isAdafruit, role.isSystem, AdafruitHardware.chip(ofRevision: packet.deviceRevision) == nil {
            warning(
                .nordicFinding.adafruitRevisionUnknown, "device_revision",
                "is \(packet.deviceRevision.hex); Adafruit's bootloader takes no system part with it")
        }
        if packet.deviceType == .max {
            note(
                .nordicFinding.deviceTypeOpen, "device_type",
                "is FFFF; a device with a type of its own refuses that, as does Adafruit's bootloader")
        }
        if role == .application, packet.applicationVersion == .max {
            note(.nordicFinding.applicationVersionOpen, "application_version", "is FFFFFFFF: none was given")
        }
    }

    /// Differences between the manifest and the init packet; devices use the init packet.
    @ListBuilder<Finding> private func noteFindings(_ packet: LegacyInitPacket) -> [Finding] {
        if let dfuVersion, let generation = packet.end.generation,
            LegacyGeneration(dfuVersion: dfuVersion) != generation
        {
            difference("dfu_version", "is \(dfuVersion), the init packet is of \(generation.rawValue)")
        }
        let stated = packet.notes.filter { !packet.isChecksumAlone || $0.key == "firmware_crc16" }
        for (name, value) in stated.sorted(by: { $0.key < $1.key }) {
            // The digits of signatures and hashes may be in upper or lower case.
            if let note = manifest?.legacy.initPacketData?[name], note.lowercased != value {
                difference(
                    "\(role.rawValue).init_packet_data.\(name)",
                    value == nil
                        ? "is given here, but not in the init packet" : "differs from the init packet")
            }
        }
    }

    private func difference(_ field: String, _ message: String) -> Finding {
        warning(.nordicFinding.metadataMismatch, "manifest.\(field)", in: PackageManifest.fileName, message)
    }
}

extension JSONValue {
    fileprivate var lowercased: JSONValue {
        if case .text(let text) = self { .text(text.lowercased()) } else { self }
    }
}
