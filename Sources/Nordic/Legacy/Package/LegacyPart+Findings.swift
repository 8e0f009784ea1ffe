import Bytes
public import UpdateModel

extension LegacyPart {
    /// All findings, errors first. The rules are those of the templates in nRF5 SDK 7 to 11 and of Adafruit's
    /// bootloader; anything that a customised bootloader may accept is a warning or a note.
    public func findings(key: NordicPublicKey? = nil) -> [Finding] {
        var all = sizeFindings()
        if let initPacket {
            all += integrityFindings(initPacket) + signatureFindings(initPacket, key)
            all += adviceFindings(initPacket) + noteFindings(initPacket)
        } else {
            let words = "there is no init packet; bootloaders from SDK 7 on refuse that"
            all.append(finding("init-packet-missing", .warning, binFile, nil, words))
        }
        return all.errorsFirst
    }

    private func sizeFindings() -> [Finding] {
        var found: [Finding] = []
        let words = "not a multiple of 4; bootloaders refuse it"
        if !image.count.isMultiple(of: 4) {
            found.append(
                finding("image-size-refused", .error, binFile, nil, "has \(image.count) bytes, \(words)"))
        }
        guard role == .softdeviceBootloader else { return found }
        let noted = [("sd_size", softDeviceSize), ("bl_size", bootloaderSize)]
        for (name, size) in noted where size == nil {
            found.append(
                manifestError("part-sizes-missing", name, "is missing; the update has to announce it"))
        }
        guard let softDeviceSize, let bootloaderSize else { return found }
        if softDeviceSize + bootloaderSize != image.count {
            let sum = "\(softDeviceSize) + \(bootloaderSize)"
            found.append(
                manifestError(
                    "part-sizes-mismatch", "sd_size + bl_size",
                    "are \(sum), the image has \(image.count) bytes"))
        } else if image.count.isMultiple(of: 4), !softDeviceSize.isMultiple(of: 4) {
            found.append(manifestError("image-size-refused", "sd_size", "is \(softDeviceSize), \(words)"))
        }
        return found
    }

    private func integrityFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        if packet.end == .none {
            let words = "has neither a CRC16 nor a hash of the image; bootloaders refuse that"
            found.append(error("checksum-missing", nil, words))
        }
        if let crc = packet.end.crc16, crc != imageCRC16 {
            let words =
                "is \(HexText.number(crc, uppercase: true)), the image has "
                + HexText.number(imageCRC16, uppercase: true)
            found.append(error("crc16-mismatch", "firmware_crc16", words))
        }
        if let length = packet.end.length, Int(length) != image.count {
            let words = "is \(length), the image has \(image.count) bytes"
            found.append(error("size-mismatch", "firmware_length", words))
        }
        if hashMatches == false {
            let name = binFiles.joined(separator: " and ")
            found.append(error("hash-mismatch", "firmware_hash", "is not the SHA-256 of \(name)"))
        }
        return found
    }

    private func signatureFindings(
        _ packet: LegacyInitPacket, _ key: NordicPublicKey?
    ) -> [Finding] {
        guard let key else { return [] }
        if packet.end.signature == nil {
            return [error("signature-missing", nil, "the init packet is not signed")]
        }
        guard !packet.isSigned(by: key) else { return [] }
        return [error("signature-invalid", "init_packet_ecds", "was not made with this key")]
    }

    private func manifestError(_ id: String, _ field: String, _ message: String) -> Finding {
        guard manifest != nil else { return finding(id, .error, binFile, nil, message) }
        return finding(
            id, .error, PackageManifest.fileName, "manifest.\(role.rawValue).\(field)", message)
    }

    func error(_ id: String, _ field: String?, _ message: String) -> Finding {
        finding(id, .error, datFile ?? binFile, field, message)
    }

    func finding(
        _ id: String, _ level: FindingLevel, _ entry: String, _ field: String?, _ message: String
    ) -> Finding {
        Finding(
            id, level, Finding.Place(entry: entry, field: field), message, part: role.rawValue)
    }
}
