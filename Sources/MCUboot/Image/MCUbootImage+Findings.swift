package import Bytes
package import UpdateModel

extension MCUbootImage {
    /// Everything about the image that bootloaders refuse or people should know; `key` checks the signature.
    /// In a package, `entry` and `part` name the image; `sendsTrailer` tells whether its trailer is sent.
    package func findings(
        key: SignatureKey?, entry: String? = nil, part: String? = nil, sendsTrailer: Bool = false
    ) -> [Finding] {
        let report = ImageReport(image: self, entry: entry, part: part)
        return report.hashFindings + report.signatureFindings(key: key) + report.headerFindings
            + report.tlvFindings + report.contradictionFindings
            + report.paddingFindings(sendsTrailer: sendsTrailer)
    }

    /// The finding that a signature was not checked for lack of a key, which only matters for a release.
    func uncheckedFindings(key: SignatureKey?, entry: String?, part: String?) -> [Finding] {
        guard key == nil, let signature = signatures.first else { return [] }
        return [
            ImageReport(image: self, entry: entry, part: part).finding(
                .mcubootFile.signatureUnchecked, .note, signature.offset, "signature",
                "is there, but no public key was given to check it")
        ]
    }
}

struct ImageReport {
    let image: MCUbootImage
    let entry: String?
    let part: String?

    /// The most findings of one sort about TLVs, of which an image can have thousands.
    static let mostOfOneSort = 8

    func finding(
        _ code: FailureCode, _ level: FindingLevel, _ offset: Int, _ field: String, _ message: String
    ) -> Finding {
        Finding(code, level, Finding.Place(entry: entry, offset: offset, field: field), message, part: part)
    }

    var hashFindings: [Finding] {
        let hashes = image.unprotectedTLVs.filter { $0.kind?.digest != nil }
        guard let first = hashes.first else {
            return [
                finding(
                    .mcubootFile.hashMissing, .error, image.end, "hash",
                    "is missing: bootloaders refuse the image, and beacons cannot name it")
            ]
        }
        var found: [Finding] = []
        if hashes.count > 1 {
            found.append(
                finding(
                    .mcubootFile.hashRepeated, .error, hashes[1].offset, "hash",
                    "is the second of \(hashes.count); beacons refuse an image with more than one"))
        }
        if image.hashMatches == false {
            found.append(
                finding(
                    .mcubootFile.hashWrong, .error, image.hashTLV?.offset ?? first.offset, "hash",
                    "does not match header, body and protected TLVs"))
        }
        if let tlv = hashes.first(where: { $0.kind == .sha384 }) {
            found.append(
                finding(
                    .mcubootFile.hashNotListed, .note, tlv.offset, "hash",
                    "is a SHA-384: beacons with Zephyr store the image, but do not list it"))
        }
        return found
    }

    func signatureFindings(key: SignatureKey?) -> [Finding] {
        let signatures = image.signatures
        guard let first = signatures.first else {
            return [
                finding(
                    .mcubootFile.unsigned, key == nil ? .warning : .error, image.end, "signature",
                    "is missing; bootloaders that check signatures do not start the image")
            ]
        }
        var found = signatures.prefix(Self.mostOfOneSort).compactMap { signature -> Finding? in
            guard let name = PublishedKeys.name(of: signature.key) else { return nil }
            return finding(
                .mcubootFile.defaultKey, .warning, signature.offset, "signature",
                "is made with \(name) of MCUboot's public repository, which everybody has")
        }
        if let unnamed = signatures.first(where: { $0.key == nil }) {
            found.append(
                finding(
                    .mcubootFile.keyNotNamed, .warning, unnamed.offset, "signature",
                    "does not say whose it is: there is no TLV with the key or its hash before it"))
        }
        guard let key, let verdict = image.verdict(by: key) else { return found }
        func refuse(_ code: FailureCode, _ words: String) {
            let place = image.signatures.prefix(MCUbootImage.mostSignatures).first {
                $0.verdict(of: image, by: key) == verdict
            }
            found.append(finding(code, .error, (place ?? first).offset, "signature", words))
        }
        switch verdict {
        case .valid: break
        case .wrong:
            refuse(
                .mcubootFile.signatureWrong,
                image.digestFlaw(with: key)
                    ?? (image.namesKeys
                        ? "does not match the image, although the image names the given key"
                        : "does not match the image with the given key; the image does not name its key"))
        case .otherKey:
            refuse(
                .mcubootFile.otherKey,
                image.namesKeys
                    ? "does not name the given key; a bootloader with this key ignores it"
                    : "is of another kind than the given key makes")
        case .unchecked(let reason): refuse(.mcubootFile.signatureUncheckable, "cannot be checked: \(reason)")
        }
        return found
    }

    var headerFindings: [Finding] {
        let header = image.header
        var found: [Finding] = []
        func add(_ code: FailureCode, _ level: FindingLevel, _ offset: Int, _ field: String, _ words: String)
        {
            found.append(finding(code, level, offset, field, words))
        }
        if header.bodyBytes == 0 {
            add(
                .file.emptyPayload, .error, ImageHeader.bodyBytesOffset, "ih_img_size",
                "is 0: there is nothing to install")
        }
        let flags = ImageHeader.flagsOffset
        if header.flags.contains(.nonBootable) {
            add(
                .mcubootFile.notBootable, .error, flags, "ih_flags",
                "mark the image as one that does not start; bootloaders do not install it")
        }
        if image.isEncrypted {
            if image.tlvs.contains(where: { $0.kind?.isImageKey == true }) {
                add(
                    .mcubootFile.encrypted, .note, flags, "ih_flags",
                    "say that the body is encrypted: only a bootloader with the key can check the hash")
            } else {
                add(
                    .mcubootFile.imageKeyMissing, .error, flags, "ih_flags",
                    "say that the body is encrypted, but there is no TLV with its key")
            }
        }
        if image.isCompressed {
            add(
                .mcubootFile.compressed, .note, flags, "ih_flags",
                "say that the body is compressed: only bootloaders that unpack it install it")
        }
        if header.flags.unknown != 0 {
            add(
                .finding.unknownFlags, .note, flags, "ih_flags",
                "\(HexText.number(header.flags.unknown)) have no known meaning")
        }
        if header.version == ImageVersion(major: 0, minor: 0, revision: 0) {
            add(
                .mcubootFile.versionZero, .warning, ImageHeader.versionOffset, "ih_ver",
                "is 0.0.0, as in builds without a version")
        }
        return found
    }

    var tlvFindings: [Finding] {
        let keyBytes = image.header.flags.contains(.encryptedAES256) ? 32 : 16
        let lengths = image.tlvs.lazy.compactMap { tlv -> Finding? in
            guard let kind = tlv.kind else { return nil }
            let imageKey = image.isEncrypted ? kind.imageKeyLength(keyBytes: keyBytes) : nil
            guard let allowed = imageKey.map({ $0...$0 }) ?? kind.lengths, !allowed.contains(tlv.value.count)
            else { return nil }
            return finding(
                .mcubootFile.tlvMalformed, .error, tlv.offset, kind.name,
                "has \(tlv.value.count) bytes, not \(allowed.lowerBound)"
                    + (allowed.count > 1 ? " to \(allowed.upperBound)" : ""))
        }
        func misplaced(_ tlvs: [ImageTLV], _ words: String) -> [Finding] {
            tlvs.prefix(Self.mostOfOneSort).map { tlv in
                finding(
                    .mcubootFile.tlvNotAllowed, .error, tlv.offset, "TLV \(HexText.number(tlv.type))",
                    "(\(tlv.name)) \(words)")
            }
        }
        let unknown = image.protectedTLVs.filter { $0.kind == nil && !$0.isVendors }
            .prefix(Self.mostOfOneSort).map { tlv in
                finding(
                    .mcubootFile.tlvUnknown, .note, tlv.offset, "TLV \(HexText.number(tlv.type))",
                    "has no known meaning; bootloaders skip it")
            }
        return lengths.prefix(Self.mostOfOneSort)
            + misplaced(
                image.unprotectedTLVs.filter { $0.kind?.isAllowedUnprotected != true },
                "is outside the protected area; bootloaders refuse it there")
            + misplaced(
                image.protectedTLVs.filter { $0.kind?.isProof == true },
                "is in the protected area; it belongs after it")
            + unknown
    }

    func paddingFindings(sendsTrailer: Bool) -> [Finding] {
        func one(_ code: FailureCode, _ level: FindingLevel, _ words: String) -> [Finding] {
            [
                finding(
                    code, level, image.end, "padding", "\(image.padding.bytes) bytes follow the image\(words)"
                )
            ]
        }
        return switch image.padding {
        case .none: []
        case .fill: one(.mcubootFile.padded, .note, ": they are filling, and are not sent")
        case .trailer(_, _, let isConfirmed):
            one(
                .mcubootFile.padded, .warning,
                ": filling up to a trailer that marks it \(isConfirmed ? "as permanent" : "for a test"); "
                    + (sendsTrailer ? "they are sent with a variant for one slot" : "they are not sent"))
        case .other:
            one(
                .mcubootFile.trailingBytes, .warning,
                ": they are neither filling nor a trailer, and are not sent")
        }
    }
}
