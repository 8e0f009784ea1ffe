package import Bytes

/// A signature of an image, with the key that the image names for it.
package struct ImageSignature: Hashable, Sendable {
    /// How an image names the key of a signature.
    package enum Key: Hashable, Sendable {
        /// The hash of the key, of the same kind as the image's.
        case hash([UInt8])
        /// The key in DER: for RSA the RSAPublicKey, otherwise the SubjectPublicKeyInfo.
        case publicKey([UInt8])
    }

    package enum Verdict: Hashable, Sendable {
        case valid
        case wrong
        /// The image names another key.
        case otherKey
        case unchecked(because: String)
    }

    package let kind: ImageTLV.Kind
    /// Bytes from the start of the image to its TLV.
    package let offset: Int
    package let value: [UInt8]
    /// The key in the TLV before the signature; nil if there is no such TLV.
    package let key: Key?
}

extension ImageSignature {
    package var algorithm: String {
        switch kind {
        case .rsa2048: "RSA-2048"
        case .rsa3072: "RSA-3072"
        case .ed25519: "Ed25519"
        case .ecdsaP224: "ECDSA P-224"
        default: isP384 ? "ECDSA P-384" : "ECDSA P-256"
        }
    }

    /// Whether an ECDSA signature is of P-384: one of P-256 has at most 72 bytes.
    private var isP384: Bool { value.count > 80 }

    private func fits(_ kind: SignatureKey.Kind) -> Bool {
        switch kind {
        case .p256, .p384: self.kind == .ecdsa
        case .rsa(let bits): self.kind == (bits == 2048 ? .rsa2048 : .rsa3072)
        case .ed25519: self.kind == .ed25519
        }
    }

    /// Why no bootloader accepts this signature: the hash of `image` is of a kind that cannot be combined with it.
    /// Nil if it can, or if there is no hash.
    func digestMismatch(in image: MCUbootImage) -> String? {
        guard let digest = image.hashTLV?.kind?.digest else { return nil }
        let allowed = SHA2.digests(of: kind, isP384: isP384, isPure: image.isSignaturePure)
        guard !allowed.contains(digest) else { return nil }
        return
            "\(image.isSignaturePure ? "pure " : "")\(algorithm) does not go with the \(digest) of the image, but "
            + "with \(allowed.map(\.description).joined(separator: " or "))"
    }

    /// Whether `image` names `other` as the key of this signature: by the key itself, or by its hash of the same kind as
    /// the image's hash. If the image has no hash, any key hash counts; if it names no key, any key may have signed it.
    private func names(_ other: SignatureKey, in image: MCUbootImage) -> Bool {
        let der = other.rsaPublicKey ?? other.der
        return switch key {
        case nil: !image.namesKeys
        case .publicKey(let bytes): bytes == der
        case .hash(let hash): image.hashTLV?.kind?.digest.map { $0.digest(der) == hash } ?? true
        }
    }

    func verdict(of image: MCUbootImage, by key: SignatureKey) -> Verdict {
        guard fits(key.kind), names(key, in: image) else { return .otherKey }
        guard let tlv = image.hashTLV else { return .unchecked(because: "the image has no hash") }
        guard digestMismatch(in: image) == nil, image.digestMismatch(with: key) == nil else { return .wrong }
        guard key.kind == .ed25519 else {
            return key.verifies(withoutPadding, ofDigest: tlv.value) ? .valid : .wrong
        }
        guard image.isSignaturePure else { return key.verifies(value, of: tlv.value) ? .valid : .wrong }
        guard !image.isEncrypted else { return .unchecked(because: "it is over the bytes before encryption") }
        return key.verifies(value, of: image.hashedBytes) ? .valid : .wrong
    }

    /// The signature without the zeros, two at most, with which imgtool gives all signatures the same length.
    private var withoutPadding: [UInt8] {
        guard kind == .ecdsa, value.count >= 2, value[1] < 0x80 else { return value }
        let length = Int(value[1]) + 2
        let rest = value.dropFirst(length)
        return rest.count <= 2 && rest.allSatisfy { $0 == 0 } ? Array(value.prefix(length)) : value
    }
}

extension MCUbootImage {
    /// The signatures in the order of the file. A TLV with a key names that of the next signature only.
    package var signatures: [ImageSignature] {
        var key: ImageSignature.Key?
        var found: [ImageSignature] = []
        for tlv in unprotectedTLVs {
            switch tlv.kind {
            case .keyHash: key = .hash(tlv.value)
            case .publicKey: key = .publicKey(tlv.value)
            case let kind? where kind.isSignature:
                found.append(ImageSignature(kind: kind, offset: tlv.offset, value: tlv.value, key: key))
                key = nil
            default: break
            }
        }
        return found
    }

    /// The maximum number of signatures that are checked: to check a pure one, the whole image is hashed.
    static let maximumSignatures = 4

    /// Whether the image has a TLV with a key, or with the hash of one.
    var namesKeys: Bool { unprotectedTLVs.contains { $0.kind == .keyHash || $0.kind == .publicKey } }

    /// Why `key` cannot have signed an image with a hash of this kind; nil if it can, or if there is no hash.
    func digestMismatch(with key: SignatureKey) -> String? {
        guard let digest = hashTLV?.kind?.digest else { return nil }
        let kind: ImageTLV.Kind =
            switch key.kind {
            case .p256, .p384: .ecdsa
            case .rsa: .rsa2048
            case .ed25519: .ed25519
            }
        let allowed = SHA2.digests(of: kind, isP384: key.kind == .p384, isPure: isSignaturePure)
        guard !allowed.contains(digest) else { return nil }
        return "is over a \(digest); with such a key it has to be over a "
            + "\(allowed.map(\.description).joined(separator: " or a "))"
    }

    /// Whether the signature is over the bytes of the image, not over their hash.
    package var isSignaturePure: Bool {
        unprotectedTLVs.contains { $0.kind == .pureSignature && $0.value == [1] }
    }

    /// The verdict on the signatures by `key`: all of them must be valid, because a bootloader keeps only the result of
    /// the last one. `otherKey` if all signatures are by other keys; nil if there are none.
    package func verdict(by key: SignatureKey) -> ImageSignature.Verdict? {
        let signatures = signatures
        guard signatures.count <= Self.maximumSignatures else {
            return .unchecked(
                because: "there are \(signatures.count), and at most \(Self.maximumSignatures) are checked")
        }
        let verdicts = signatures.map { $0.verdict(of: self, by: key) }
        return verdicts.first { $0 == .wrong } ?? verdicts.first { $0 != .otherKey } ?? verdicts.first
    }
}

extension SHA2 {
    /// The digests of an image that go with a kind of signature in imgtool (`ALLOWED_KEY_SHA`,
    /// `ALLOWED_PURE_KEY_SHA`) and in bootloaders; `isP384` counts only for ECDSA. P-256 with SHA-512 is for
    /// bootloaders of the nRF Connect SDK with PSA.
    fileprivate static func digests(of kind: ImageTLV.Kind, isP384: Bool, isPure: Bool) -> [SHA2] {
        switch kind {
        case .ed25519: isPure ? [.sha512] : [.sha256, .sha512]
        case .ecdsa: isP384 ? [.sha384] : [.sha256, .sha512]
        default: [.sha256]
        }
    }
}

/// The signing keys in public repositories: anyone can sign with them, and builds use them until a product has its own.
enum PublishedKeys {
    /// Hashes of the public keys of `root-*.pem` in mcu-tools/mcuboot at commit 2d4bacc, which the nRF Connect SDK
    /// uses, too. As in images, the RSAPublicKey is hashed for RSA, otherwise the SubjectPublicKeyInfo, with the
    /// algorithm of the image's hash.
    private static let hashes: [String: String] = [
        "fc5701dc6135e1323847bdc40f04d2e5bee5833b23c29f93593d00018cfa9994": "root-rsa-2048.pem",
        "449793fb65cd7698753d5b3f35fab15f1e3a45111ff24e1d46741de5ae12d59e": "root-rsa-3072.pem",
        "e30466f6b8470c1f29070b17f1e2d3e94d445e3f608087fdc711e4382bb538b6": "root-ec-p256.pem",
        "6bcd1e16d80e5fe13a5307e6f1de8344c7e50e537d9962ce35ef6db5e642fae8": "root-ec-p384.pem",
        "85b7bd5f5dff9a03a99927adaf6ca6febde822c1a480928324a8e60323715c5779461c496a95aee8c4f90b99779f848a":
            "root-ec-p384.pem",
        "c1907fa4eac7fae3840a78902b6f0710b037e9968e5c6274a12a28790c7d4e3c": "root-ed25519.pem",
        "e3e129b49f1218e18e4614acb2523389c75852ebb98b4d2c6171a2fc65706ba3"
            + "d1ddf85f52e71450c3e572e624695fafd41ce4d9354d6c2b19f7d6001a6ae8b0": "root-ed25519.pem",
        "6754edab1e29affef4a05935adecbeb1a7b8b62397b31e39a61b5bfcaafd63af": "root-ed25519-2.pem",
        "e11ed22583de283392266b917bd82e88486edf47bc58c7ce8e42f9fb90e1daa9"
            + "00e72f172e4bd4fb19fc1870638e3a89c3f033ef4db6f6235d02ee623b4b2924": "root-ed25519-2.pem",
        "b1d87d60173352b9a4808979790fc699fb4c4f83b49cf1970edd96ff4adc36a6": "root-ed25519-unknown.pem",
        "37491781699741ec96e7faaf03c04e70f135f2f8b1f09d5a2a53667115052331"
            + "e6a8abd3310476e7fbedf676feb9e8bcff7ff5366e8470714c0ef4c582941881": "root-ed25519-unknown.pem",
    ]

    /// The file in mcu-tools/mcuboot with `key`; nil if none of them has it.
    static func name(of key: ImageSignature.Key?) -> String? {
        switch key {
        case nil: nil
        case .hash(let hash): hashes[HexText.encode(hash)]
        case .publicKey(let bytes): hashes[HexText.encode(SHA2.sha256.digest(bytes))]
        }
    }
}
