import UpdateModel

extension ImageReport {
    /// Entries and flags that exclude each other: a bootloader checks one of them, this program might check another.
    var contradictionFindings: [Finding] { counterFindings + flagFindings + keyFindings + pureFindings }

    private func contradiction(_ offset: Int, _ field: String, _ words: String) -> Finding {
        finding(.mcubootFile.tlvsContradict, .error, offset, field, words)
    }

    private var flagFindings: [Finding] {
        var found: [Finding] = []
        func flaw(_ words: String) { found.append(contradiction(ImageHeader.flagsOffset, "ih_flags", words)) }
        if image.header.flags.isSuperset(of: .encrypted) {
            flaw("say AES-128 and AES-256; the body has one encryption")
        }
        if image.header.flags.isSuperset(of: [.lzma1, .lzma2]) {
            flaw("say LZMA1 and LZMA2; the body has one compression")
        }
        if image.isCompressed, let missing = image.missingForUnpacking {
            flaw("say that the body is compressed, but there is no protected TLV with \(missing)")
        }
        return found
    }

    private var counterFindings: [Finding] {
        let counters = image.protectedTLVs.filter { $0.kind == .securityCounter }
        guard counters.count > 1 else { return [] }
        return [
            contradiction(
                counters[1].offset, "security-counter", "is the second of \(counters.count); an image has one"
            )
        ]
    }

    /// Bootloaders are built for one kind of signature, and for keys or for hashes of keys.
    private var keyFindings: [Finding] {
        let signatures = image.signatures
        var found: [Finding] = []
        if let other = signatures.first(where: { $0.kind != signatures[0].kind }) {
            found.append(
                contradiction(
                    other.offset, "signature",
                    "is \(other.algorithm), and another is \(signatures[0].algorithm); bootloaders take one kind"
                ))
        }
        if signatures.count > MCUbootImage.mostSignatures {
            found.append(
                contradiction(
                    signatures[MCUbootImage.mostSignatures].offset, "signature",
                    "is number \(MCUbootImage.mostSignatures + 1) of \(signatures.count); an image has one for "
                        + "each key, and at most \(MCUbootImage.mostSignatures) are checked"))
        }
        if let unfit = signatures.first(where: { $0.digestFlaw(in: image) != nil }),
            let flaw = unfit.digestFlaw(in: image)
        {
            found.append(contradiction(unfit.offset, "signature", "of \(flaw)"))
        }
        let hash = image.unprotectedTLVs.first { $0.kind == .keyHash }
        // Bootloaders refuse an image with such an entry, also if it is that of another signature.
        if let digest = image.hashTLV?.value.count,
            let long = image.unprotectedTLVs.first(where: { $0.kind == .keyHash && $0.value.count > digest })
        {
            found.append(
                contradiction(
                    long.offset, "key-hash",
                    "has \(long.value.count) bytes, and the hash of the image \(digest); bootloaders use one "
                        + "kind of hash for both"))
        }
        let whole = image.unprotectedTLVs.first { $0.kind == .publicKey }
        if let hash, let whole {
            found.append(
                contradiction(
                    max(hash.offset, whole.offset), "key",
                    "is there whole and as a hash; bootloaders take one of both"))
        }
        return found
    }

    private var pureFindings: [Finding] {
        let marks = image.unprotectedTLVs.filter { $0.kind == .pureSignature }
        guard let mark = marks.first else { return [] }
        func flaw(_ words: String) -> [Finding] { [contradiction(mark.offset, "pure-signature", words)] }
        if marks.count > 1 { return flaw("is there \(marks.count) times") }
        if mark.value.count == 1, mark.value != [1] {
            return flaw("is \(mark.value[0]); signatures over the image itself have 1, others no such TLV")
        }
        return image.signatures.allSatisfy { $0.kind == .ed25519 }
            ? [] : flaw("is there, but only Ed25519 signs the image itself")
    }
}

extension MCUbootImage {
    /// The first missing one of the protected TLVs without which no bootloader unpacks a compressed body.
    fileprivate var missingForUnpacking: String? {
        func has(_ kind: ImageTLV.Kind) -> Bool { protectedTLVs.contains { $0.kind == kind } }
        if !has(.unpackedSize) { return "its unpacked size" }
        if !has(.unpackedHash) { return "the hash of the unpacked image" }
        return signatures.isEmpty || has(.unpackedSignature) ? nil : "the signature of the unpacked image"
    }
}
