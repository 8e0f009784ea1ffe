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
