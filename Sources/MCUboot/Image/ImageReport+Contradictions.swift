import UpdateModel

extension ImageReport {
    /// Reports entries and flags that exclude each other: a bootloader might use a different one than this
    /// program does.
    mutating func checkContradictions() {
        let counters = image.protectedTLVs.filter { $0.kind == .securityCounter }
        if counters.count > 1 {
            addContradiction(
                counters[1].offset, "security-counter", "is the second of \(counters.count); an image has one"
            )
        }
        checkFlags()
        checkKeys()
        checkPureSignature()
    }

    private mutating func addContradiction(_ offset: Int, _ field: String, _ words: String) {
        add(.mcubootFile.tlvsContradict, .error, offset, field, words)
    }

    private mutating func checkFlags() {
        func add(_ words: String) { addContradiction(ImageHeader.flagsOffset, "ih_flags", words) }
        if image.header.flags.isSuperset(of: .encrypted) {
            add("say AES-128 and AES-256; the body has one encryption")
        }
        if image.header.flags.isSuperset(of: [.lzma1, .lzma2]) {
            add("say LZMA1 and LZMA2; the body has one compression")
        }
        if image.isCompressed, let missing = image.missingForUnpacking {
            add("say that the body is compressed, but there is no protected TLV with \(missing)")
        }
    }

    /// Bootloaders are built for one kind of signature, and for keys or for hashes of keys.
    private mutating func checkKeys() {
        let signatures = image.signatures
        if let other = signatures.first(where: { $0.kind != signatures[0].kind }) {
            addContradiction(
                other.offset, "signature",
                "is \(other.algorithm), and another is \(signatures[0].algorithm); bootloaders accept one kind"
            )
        }
        let most = MCUbootImage.maximumSignatures
        if signatures.count > most {
            addContradiction(
                signatures[most].offset, "signature",
                "is number \(most + 1) of \(signatures.count); an image has one for each key, and at most "
                    + "\(most) are checked")
        }
        for signature in signatures {
            guard let mismatch = signature.digestMismatch(in: image) else { continue }
            addContradiction(signature.offset, "signature", "of \(mismatch)")
            break
        }
        let hashes = image.unprotectedTLVs.filter { $0.kind == .keyHash }
        // Bootloaders refuse an image with such an entry, even if it belongs to another signature than theirs.
        if let digest = image.hashTLV?.value.count,
            let long = hashes.first(where: { $0.value.count > digest })
        {
            addContradiction(
                long.offset, "key-hash",
                "has \(long.value.count) bytes, and the hash of the image \(digest); bootloaders use one "
                    + "kind of hash for both")
        }
        if let hash = hashes.first,
            let publicKey = image.unprotectedTLVs.first(where: { $0.kind == .publicKey })
        {
            addContradiction(
                max(hash.offset, publicKey.offset), "key",
                "is there in full and as a hash; bootloaders accept only one of the two")
        }
    }

    private mutating func checkPureSignature() {
        let marks = image.unprotectedTLVs.filter { $0.kind == .pureSignature }
        guard let mark = marks.first else { return }
        func add(_ words: String) { addContradiction(mark.offset, "pure-signature", words) }
        if marks.count > 1 { return add("is there \(marks.count) times") }
        if mark.value.count == 1, mark.value != [1] {
            return add("is \(mark.value[0]); signatures over the image itself have 1, others no such TLV")
        }
        if !image.signatures.allSatisfy({ $0.kind == .ed25519 }) {
            add("is there, but only Ed25519 signs the image itself")
        }
    }
}

extension MCUbootImage {
    /// The first protected TLV that bootloaders need to unpack a compressed body and that is missing.
    fileprivate var missingForUnpacking: String? {
        func has(_ kind: ImageTLV.Kind) -> Bool { protectedTLVs.contains { $0.kind == kind } }
        if !has(.unpackedSize) { return "its unpacked size" }
        if !has(.unpackedHash) { return "the hash of the unpacked image" }
        return signatures.isEmpty || has(.unpackedSignature) ? nil : "the signature of the unpacked image"
    }
}
