import Bytes
public import UpdateModel

extension FBeaconFile {
    /// The smallest file that the vendor's programs accept, in bytes.
    static let vendorMinimum = 0x406

    /// All findings; the first error is the reason for refusing the file (fbeacon.md, Checks).
    public func findings() -> [Finding] {
        let all = [
            headerFindings(), openFieldFindings(), bodyFindings(), versionFindings(), digestFindings(),
            vendorFindings(), modelFindings(), authenticityFindings(),
        ].flatMap(\.self)
        return all.errorsFirst
    }

    private func headerFindings() -> [Finding] {
        guard !header.crcMatches else { return [] }
        return [
            error(
                "header-crc-mismatch", 28, "header CRC",
                "is \(HexText.digits(header.crc)), but the header gives \(HexText.digits(header.computedCRC))"
            )
        ]
    }

    private func openFieldFindings() -> [Finding] {
        guard let open = header.openFields else { return [] }
        var found: [Finding] = []
        func reserved(_ offset: Int, _ field: String, _ message: String) {
            found.append(error("reserved-field-set", offset, field, message))
        }
        if header.uploadModel != 1 { reserved(16, "uploadModel", "is \(header.uploadModel), not 1") }
        if open.flags & 0xFE != 0 {
            reserved(19, "flags", "\(HexText.number(open.flags)) has reserved bits")
        }
        if open.reserved != 0 { reserved(26, "reserved", "is \(open.reserved), not 0") }
        return found
    }

    private func bodyFindings() -> [Finding] {
        var found: [Finding] = []
        if !trailing.isEmpty {
            found.append(
                error(
                    "trailing-bytes", trailing.startIndex, "end of the payload",
                    "\(trailing.count) bytes follow"))
        }
        if let open = header.openFields {
            let crc = CRC32.checksum(body)
            if crc != open.bodyCRC {
                found.append(
                    error(
                        "body-crc-mismatch", 20, "bodyCrc32",
                        "is \(HexText.digits(open.bodyCRC)), but extension and payload give \(HexText.digits(crc))"
                    ))
            }
            if binCRCMatches == false {
                found.append(error("image-crc-mismatch", 4, "binCrc", "is not the CRC-16 of the payload"))
            }
        }
        if let extensionFlaw {
            found.append(
                error(
                    "extension-malformed", extensionFlaw.offset, "extension record", "\(extensionFlaw)"))
        }
        if payload.isEmpty {
            found.append(error("empty-payload", 6, "length", "is 0: there is nothing to install"))
        }
        return found
    }

    private func versionFindings() -> [Finding] {
        guard header.versionStart > header.versionEnd else { return [] }
        let words = "\(header.versionStart) is above versionEnd \(header.versionEnd)"
        return [
            Finding(
                // The meaning of the vendor's two fields is inferred, not documented.
                "version-range-reversed", isEncrypted ? .warning : .error, offset: 10, field: "versionStart",
                words)
        ]
    }

    private func digestFindings() -> [Finding] {
        guard let record = records.first(where: { $0.kind == .payloadSHA256 }),
            record.value != SHA256Digest.digest(payload)
        else { return [] }
        let before = records.prefix { $0 != record }.reduce(0) { $0 + $1.bytes.count }
        return [
            error(
                "image-hash-mismatch", FBeaconHeader.length + before, "payloadSha256",
                "is not the SHA-256 of the payload")
        ]
    }

    private func vendorFindings() -> [Finding] {
        guard isEncrypted else { return [] }
        var found = [
            Finding(
                "payload-encrypted", .note, offset: FBeaconHeader.length, field: "payload",
                "is encrypted by the vendor, so binCrc cannot be checked")
        ]
        if bytes.count < Self.vendorMinimum {
            found.append(
                Finding(
                    "file-short", .warning, offset: bytes.count, field: "file",
                    "the vendor's programs accept files of \(Self.vendorMinimum) bytes or more"))
        }
        if header.uploadModel != 1 || header.tail.contains(where: { $0 != 0 }) {
            found.append(
                Finding(
                    "unknown-flags", .note, offset: 16, field: "bytes 16 to 27",
                    "differ from those of known files (1, then zeros)"))
        }
        return found
    }

    private func error(_ id: String, _ offset: Int, _ field: String, _ message: String) -> Finding {
        Finding(id, .error, offset: offset, field: field, message)
    }
}
