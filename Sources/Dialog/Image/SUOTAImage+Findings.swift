import Bytes
package import UpdateModel

extension SUOTAImage {
    /// Everything that devices refuse or people should know, errors first (suota-image.md, Checks).
    package func findings() -> [Finding] {
        let all =
            payloadFindings() + [sizeFinding, versionFinding].compactMap(\.self) + fieldFindings() + advice()
        return all.errorsFirst
    }

    private func payloadFindings() -> [Finding] {
        var found: [Finding] = []
        let family = header.family
        if header.codeSize == 0 {
            found.append(
                Finding(
                    .file.emptyPayload, .error, offset: family.codeSizeOffset, field: "code size",
                    "is 0: there is nothing to install"))
        } else if crcMatches == false {
            found.append(
                Finding(
                    .device.imageCRCMismatch, .error, offset: family.crcOffset, field: "CRC-32",
                    "is \(HexText.digits(header.crc)), the payload has \(HexText.digits(payloadCRC))"))
        }
        if header.isEncrypted {
            found.append(
                Finding(
                    .dialogFile.imageEncrypted, .warning, offset: 32, field: "flags",
                    "the payload is encrypted, so its CRC cannot be checked here"))
        }
        if !trailing.isEmpty {
            found.append(
                Finding(
                    .file.trailingBytes, .error, offset: trailing.startIndex, field: "end of the image",
                    hasUploadTrailer
                        ? "the byte after it is the XOR trailer of an upload and not part of the file"
                        : "\(trailing.count) bytes follow"))
        }
        return found
    }

    /// Whether the only trailing byte is the XOR byte of an upload.
    private var hasUploadTrailer: Bool { trailing.count == 1 && trailer == 0 }

    private var sizeFinding: Finding? {
        func finding(_ code: FailureCode, _ level: FindingLevel, _ message: String) -> Finding {
            Finding(code, level, offset: header.family.codeSizeOffset, field: "code size", message)
        }
        let size = Int(header.codeSize)
        let (needed, limit): (Int, Int) =
            switch header.family {
            case .da1458x: (size, FlashBank.standard.payloadLimit)
            // The limits of the vendor's receivers: 236 KiB, and a partition of 503 KiB.
            case .da1468x: (header.payloadOffset + size, 236 << 10)
            case .da1469x: (header.payloadOffset + size, 503 << 10)
            }
        if needed > limit {
            return finding(
                .dialogFile.imageExceedsFlash, .warning,
                "\(needed) bytes are needed, the vendor's layout has \(limit)")
        }
        guard header.family == .da1458x else { return nil }
        if FlashBank.known.contains(where: { $0.payloadLimit == size }) {
            return finding(
                .dialogFile.imageFillsBank, .warning,
                "the image fills a flash bank to its last byte: beacons also erase the sector after it")
        }
        // The header does not identify the chip, so this is only a note with the devices that have small banks.
        let tooSmall = FlashBank.known.filter { $0.payloadLimit < size }
        guard !tooSmall.isEmpty else { return nil }
        let names = tooSmall.map { "\($0.name): \($0.payloadLimit)" }.joined(separator: "; ")
        return finding(
            .dialogFile.imageExceedsSmallFlash, .note,
            "\(size) bytes do not fit the bank of some beacons (\(names))")
    }

    private var versionFinding: Finding? {
        let offset = header.family.versionOffset
        if !header.version.isText {
            return Finding(
                .dialogFile.versionNotText, .note, offset: offset, field: "version",
                "has bytes that are not printable ASCII")
        }
        guard header.version.text.isEmpty else { return nil }
        return Finding(
            .dialogFile.versionMissing, .warning, offset: offset, field: "version",
            "is empty; only its timestamp distinguishes this image from others")
    }

    private func fieldFindings() -> [Finding] {
        var found: [Finding] = []
        func unknown(_ offset: Int, _ field: String, _ message: String) {
            found.append(Finding(.finding.unknownFlags, .note, offset: offset, field: field, message))
        }
        switch header.particulars {
        case .da1458x(let validFlag, _, let flags, let reserved):
            if validFlag != 0xAA {
                found.append(
                    Finding(
                        .dialogFile.validFlagUnusual, .note, offset: 2, field: "valid flag",
                        "is \(HexText.digits(validFlag)), not aa; receivers write their own"))
            }
            if flags & 0xFE != 0 {
                unknown(32, "flags", "\(HexText.digits(flags)) has bits without a known meaning")
            }
            if reserved.contains(where: { $0 != 0xFF }) { unknown(33, "reserved", "is not all ff") }
        case .da1468x(let flags, _):
            if flags & 0xFFF0 != 0 {
                unknown(2, "flags", "\(HexText.digits(flags)) has bits without a known meaning")
            }
        case .da1469x: break
        }
        return found
    }
}
