import Bytes
package import UpdateModel

extension SUOTAImage {
    /// All findings, errors first (suota-image.md, Checks).
    package func findings() -> [Finding] { allFindings.errorsFirst }

    @ListBuilder<Finding> private var allFindings: [Finding] {
        payloadFindings
        sizeFindings
        versionFindings
        fieldFindings
        advice
    }

    @ListBuilder<Finding> private var payloadFindings: [Finding] {
        if header.codeSize == 0 {
            Finding(
                .file.emptyPayload, .error, offset: header.family.codeSizeOffset, field: "code size",
                "is 0: there is nothing to install")
        } else if crcMatches == false {
            Finding(
                .device.imageCRCMismatch, .error, offset: header.family.crcOffset, field: "CRC-32",
                "is \(HexText.digits(header.crc)), the payload has \(HexText.digits(payloadCRC))")
        }
        if header.isEncrypted {
            Finding(
                .dialogFile.imageEncrypted, .warning, offset: 32, field: "flags",
                "the payload is encrypted, so its CRC cannot be checked here")
        }
        if !trailing.isEmpty {
            Finding(
                .file.trailingBytes, .error, offset: trailing.startIndex, field: "end of the image",
                hasUploadTrailer
                    ? "the byte after it is the XOR trailer of an upload and not part of the file"
                    : "\(trailing.count) bytes follow")
        }
    }

    private var hasUploadTrailer: Bool { trailing.count == 1 && trailer == 0 }

    @ListBuilder<Finding> private var sizeFindings: [Finding] {
        let size = Int(header.codeSize)
        let (needed, limit) =
            switch header.family {
            case .da1458x: (size, FlashBank.standard.payloadLimit)
            // The limits of the vendor's receivers: 236 KiB on 68x, a partition of 503 KiB on 69x.
            case .da1468x: (header.payloadOffset + size, 236 << 10)
            case .da1469x: (header.payloadOffset + size, 503 << 10)
            }
        // The header does not identify the chip, so an image that is too large only for small banks causes a note.
        let tooSmall = FlashBank.known.filter { $0.payloadLimit < size }
        if needed > limit {
            sizeFinding(
                .dialogFile.imageExceedsFlash, .warning,
                "\(needed) bytes are needed, the vendor's layout has \(limit)")
        } else if header.family == .da1458x, FlashBank.known.contains(where: { $0.payloadLimit == size }) {
            sizeFinding(
                .dialogFile.imageFillsBank, .warning,
                "the image fills a flash bank to its last byte: beacons also erase the sector after it")
        } else if header.family == .da1458x, !tooSmall.isEmpty {
            let names = tooSmall.map { "\($0.name): \($0.payloadLimit)" }.joined(separator: "; ")
            sizeFinding(
                .dialogFile.imageExceedsSmallFlash, .note,
                "\(size) bytes do not fit the bank of some beacons (\(names))")
        }
    }

    private func sizeFinding(_ code: FailureCode, _ level: FindingLevel, _ message: String) -> Finding {
        Finding(code, level, offset: header.family.codeSizeOffset, field: "code size", message)
    }

    @ListBuilder<Finding> private var versionFindings: [Finding] {
        if !header.version.isText {
            Finding(
                .dialogFile.versionNotText, .note, offset: header.family.versionOffset, field: "version",
                "has bytes that are not printable ASCII")
        } else if header.version.text.isEmpty {
            Finding(
                .dialogFile.versionMissing, .warning, offset: header.family.versionOffset, field: "version",
                "is empty; only its timestamp distinguishes this image from others")
        }
    }

    @ListBuilder<Finding> private var fieldFindings: [Finding] {
        switch header.particulars {
        case .da1458x(let validFlag, _, let flags, let reserved):
            if validFlag != 0xAA {
                Finding(
                    .dialogFile.validFlagUnusual, .note, offset: 2, field: "valid flag",
                    "is \(HexText.digits(validFlag)), not aa; receivers write their own")
            }
            if flags & 0xFE != 0 {
                unknown(32, "flags", "\(HexText.digits(flags)) has bits without a known meaning")
            }
            if reserved.contains(where: { $0 != 0xFF }) { unknown(33, "reserved", "is not all ff") }
        case .da1468x(let flags, _):
            if flags & 0xFFF0 != 0 {
                unknown(2, "flags", "\(HexText.digits(flags)) has bits without a known meaning")
            }
        case .da1469x: []
        }
    }

    private func unknown(_ offset: Int, _ field: String, _ message: String) -> Finding {
        Finding(.finding.unknownFlags, .note, offset: offset, field: field, message)
    }

    /// The start of 2010 in seconds since 1970, UTC: no chip of these families is older.
    static let firstTimestamp: UInt32 = 1_262_304_000

    /// Findings that no device checks, but that matter before a release.
    @ListBuilder<Finding> private var advice: [Finding] {
        timestampFindings
        extensionFindings
        authenticity
    }

    @ListBuilder<Finding> private var timestampFindings: [Finding] {
        if header.timestamp == 0 {
            Finding(
                .dialogFile.timestampMissing, .note, offset: header.family.timestampOffset,
                field: "timestamp", "is 0: only its version distinguishes this image from others")
        } else if header.timestamp < Self.firstTimestamp {
            Finding(
                .dialogFile.timestampImplausible, .warning, offset: header.family.timestampOffset,
                field: "timestamp",
                "is \(header.timestamp) seconds since 1970, before the first of these chips")
        }
    }

    @ListBuilder<Finding> private var extensionFindings: [Finding] {
        let content = headerExtension
        for (index, section) in content.sections.enumerated()
        where content.sections[..<index].count(where: { $0.type == section.type }) == 1 {
            Finding(
                .dialogFile.sectionRepeated, .warning, offset: section.offset, field: "extension section",
                "\(section.name) occurs more than once")
        }
        if content.isCutOff {
            Finding(
                .dialogFile.sectionTruncated, .warning, offset: content.restOffset,
                field: "extension section", "extends beyond the start of the payload")
        } else if !content.endsWithFilling {
            Finding(
                .dialogFile.extensionUnknown, .note, offset: content.restOffset, field: "header extension",
                "has bytes that are neither a known section nor padding")
        }
    }

    private var authenticity: Finding {
        let signature = sections.first { $0.type == ExtensionSection.signature && !$0.content.isEmpty }
        if let signature {
            return Finding(
                .dialogFile.signatureUnchecked, .note, offset: signature.offset, field: "extension section",
                "is a signature, which is not checked here")
        }
        return Finding(
            .finding.unauthenticated, .note, offset: 0, field: "image",
            "has no signature: its checksums protect against damage, not against forgery")
    }
}
