package import Bytes
package import UpdateModel

extension MCUbootImage {
    /// What bootloaders refuse in the image, and what people should know about it. `key` checks the signatures. In a
    /// package, `entry` and `part` name the image.
    package func findings(
        key: SignatureKey?, entry: String? = nil, part: String? = nil, sendsTrailer: Bool = false
    ) -> [Finding] {
        var report = ImageReport(image: self, entry: entry, part: part)
        report.checkHash()
        report.checkSignatures(with: key)
        report.checkHeader()
        report.checkTLVs()
        report.checkContradictions()
        report.checkPadding(sendsTrailer: sendsTrailer)
        return report.findings
    }

    /// The finding that no key was given to check the signatures, which only matters for a release.
    func uncheckedFindings(key: SignatureKey?, entry: String?, part: String?) -> [Finding] {
        guard key == nil, let signature = signatures.first else { return [] }
        var report = ImageReport(image: self, entry: entry, part: part)
        report.add(
            .mcubootFile.signatureUnchecked, .note, signature.offset, "signature",
            "is there, but no public key was given to check it")
        return report.findings
    }
}

struct ImageReport {
    let image: MCUbootImage
    let entry: String?
    let part: String?
    private(set) var findings: [Finding] = []

    /// The maximum number of findings of one check: an image can have thousands of TLVs.
    static let maximumPerCheck = 8

    mutating func add(
        _ code: FailureCode, _ level: FindingLevel, _ offset: Int, _ field: String, _ message: String
    ) {
        let place = Finding.Place(entry: entry, offset: offset, field: field)
        findings.append(Finding(code, level, place, message, part: part))
    }

    mutating func checkHash() {
        let hashes = image.unprotectedTLVs.filter { $0.kind?.digest != nil }
        guard let first = hashes.first else {
            return add(
                .mcubootFile.hashMissing, .error, image.end, "hash",
                "is missing: bootloaders refuse the image, and beacons cannot name it")
        }
        if hashes.count > 1 {
            add(
                .mcubootFile.hashRepeated, .error, hashes[1].offset, "hash",
                "is the second of \(hashes.count); beacons refuse an image with more than one")
        }
        if image.hashMatches == false {
            add(
                .mcubootFile.hashWrong, .error, image.hashTLV?.offset ?? first.offset, "hash",
                "does not match header, body and protected TLVs")
        }
        if let tlv = hashes.first(where: { $0.kind == .sha384 }) {
            add(
                .mcubootFile.hashNotListed, .note, tlv.offset, "hash",
                "is a SHA-384: beacons with Zephyr store the image, but do not list it")
        }
    }

    mutating func checkSignatures(with key: SignatureKey?) {
        let signatures = image.signatures
        guard let first = signatures.first else {
            return add(
                .mcubootFile.unsigned, key == nil ? .warning : .error, image.end, "signature",
                "is missing; bootloaders that check signatures do not start the image")
        }
        for signature in signatures.prefix(Self.maximumPerCheck) {
            guard let name = PublishedKeys.name(of: signature.key) else { continue }
            add(
                .mcubootFile.defaultKey, .warning, signature.offset, "signature",
                "is made with \(name) of MCUboot's public repository, which everybody has")
        }
        if let unnamed = signatures.first(where: { $0.key == nil }) {
            add(
                .mcubootFile.keyNotNamed, .warning, unnamed.offset, "signature",
                "does not say whose it is: there is no TLV with the key or its hash before it")
        }
        guard let key, let verdict = image.verdict(by: key) else { return }
        func addError(_ code: FailureCode, _ words: String) {
            let signature = signatures.prefix(MCUbootImage.maximumSignatures).first {
                $0.verdict(of: image, by: key) == verdict
            }
            add(code, .error, (signature ?? first).offset, "signature", words)
        }
        switch verdict {
        case .valid: break
        case .wrong:
            addError(
                .mcubootFile.signatureWrong,
                image.digestMismatch(with: key)
                    ?? (image.namesKeys
                        ? "does not match the image, although the image names the given key"
                        : "does not match the image with the given key; the image does not name its key"))
        case .otherKey:
            addError(
                .mcubootFile.otherKey,
                image.namesKeys
                    ? "does not name the given key; a bootloader with this key ignores it"
                    : "is of another kind than the given key makes")
        case .unchecked(let reason):
            addError(.mcubootFile.signatureUncheckable, "cannot be checked: \(reason)")
        }
    }

    mutating func checkHeader() {
        let header = image.header
        func add(_ code: FailureCode, _ level: FindingLevel, _ words: String) {
            self.add(code, level, ImageHeader.flagsOffset, "ih_flags", words)
        }
        if header.bodyBytes == 0 {
            self.add(
                .file.emptyPayload, .error, ImageHeader.bodyBytesOffset, "ih_img_size",
                "is 0: there is nothing to install")
        }
        if header.flags.contains(.nonBootable) {
            add(
                .mcubootFile.notBootable, .error,
                "mark the image as one that does not start; bootloaders do not install it")
        }
        if image.isEncrypted {
            if image.tlvs.contains(where: { $0.kind?.isImageKey == true }) {
                add(
                    .mcubootFile.encrypted, .note,
                    "say that the body is encrypted: only a bootloader with the key can check the hash")
            } else {
                add(
                    .mcubootFile.imageKeyMissing, .error,
                    "say that the body is encrypted, but there is no TLV with its key")
            }
        }
        if image.isCompressed {
            add(
                .mcubootFile.compressed, .note,
                "say that the body is compressed: only bootloaders that unpack it install it")
        }
        if header.flags.unknown != 0 {
            add(.finding.unknownFlags, .note, "\(HexText.number(header.flags.unknown)) have no known meaning")
        }
        if header.version == ImageVersion(major: 0, minor: 0, revision: 0) {
            self.add(
                .mcubootFile.versionZero, .warning, ImageHeader.versionOffset, "ih_ver",
                "is 0.0.0, as in builds without a version")
        }
    }

    mutating func checkTLVs() {
        let keyBytes = image.header.flags.contains(.encryptedAES256) ? 32 : 16
        var malformed = 0
        for tlv in image.tlvs where malformed < Self.maximumPerCheck {
            guard let kind = tlv.kind else { continue }
            let imageKey = image.isEncrypted ? kind.imageKeyLength(keyBytes: keyBytes) : nil
            guard let allowed = imageKey.map({ $0...$0 }) ?? kind.lengths, !allowed.contains(tlv.value.count)
            else { continue }
            malformed += 1
            add(
                .mcubootFile.tlvMalformed, .error, tlv.offset, kind.name,
                "has \(tlv.value.count) bytes, not \(allowed.lowerBound)"
                    + (allowed.count > 1 ? " to \(allowed.upperBound)" : ""))
        }
        func addMisplaced(_ tlvs: [ImageTLV], _ words: String) {
            for tlv in tlvs.prefix(Self.maximumPerCheck) {
                add(
                    .mcubootFile.tlvNotAllowed, .error, tlv.offset, "TLV \(HexText.number(tlv.type))",
                    "(\(tlv.name)) \(words)")
            }
        }
        addMisplaced(
            image.unprotectedTLVs.filter { $0.kind?.isAllowedUnprotected != true },
            "is outside the protected area; bootloaders refuse it there")
        addMisplaced(
            image.protectedTLVs.filter { $0.kind?.isHashOrSignature == true },
            "is in the protected area; it belongs after it")
        let unknown = image.protectedTLVs.filter { $0.kind == nil && !$0.isVendorDefined }
        for tlv in unknown.prefix(Self.maximumPerCheck) {
            add(
                .mcubootFile.tlvUnknown, .note, tlv.offset, "TLV \(HexText.number(tlv.type))",
                "has no known meaning; bootloaders skip it")
        }
    }

    mutating func checkPadding(sendsTrailer: Bool) {
        func add(_ code: FailureCode, _ level: FindingLevel, _ words: String) {
            self.add(
                code, level, image.end, "padding", "\(image.padding.bytes) bytes follow the image: \(words)")
        }
        switch image.padding {
        case .none: break
        case .fill: add(.mcubootFile.padded, .note, "they are filling, and are not sent")
        case .trailer(_, _, let isConfirmed):
            add(
                .mcubootFile.padded, .warning,
                "filling up to a trailer that marks it \(isConfirmed ? "as permanent" : "for a test"); "
                    + (sendsTrailer ? "they are sent with a variant for one slot" : "they are not sent"))
        case .other:
            add(
                .mcubootFile.trailingBytes, .warning,
                "they are neither filling nor a trailer, and are not sent")
        }
    }
}
