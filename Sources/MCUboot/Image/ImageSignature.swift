package import Bytes

/// A signature of an image with what the image says of its key.
package struct ImageSignature: Hashable, Sendable {
    /// How an image names the key of a signature.
    package enum Key: Hashable, Sendable {
        /// The hash of the key, of the same kind as the image's.
        case hash([UInt8])
        /// The key in DER: SubjectPublicKeyInfo, of RSA the RSAPublicKey.
        case whole([UInt8])
    }

    /// The outcome of checking a signature with a key.
    package enum Verdict: Hashable, Sendable {
        case valid
        case wrong
        /// The image says that another key signed it.
        case otherKey
        /// It cannot be checked, with the reason.
        case unchecked(because: String)
    }

    package let kind: ImageTLV.Kind
    /// Bytes from the start of the image to its TLV.
    package let offset: Int
    package let value: [UInt8]
    /// The key of the TLV before it; nil if there is none: the bootloader has just one.
    package let key: Key?
}

extension ImageSignature {
    /// The name of the algorithm.
    package var algorithm: String {
        switch kind {
        case .rsa2048: "RSA-2048"
        case .rsa3072: "RSA-3072"
        case .ed25519: "Ed25519"
        case .ecdsaP224: "ECDSA P-224"
        // Curves differ in the sizes of their numbers: 72 bytes at most with P-256.
        default: value.count > 80 ? "ECDSA P-384" : "ECDSA P-256"
        }
    }

    /// Whether a key of this kind makes such signatures.
    private func fits(_ kind: SignatureKey.Kind) -> Bool {
        switch kind {
        case .p256, .p384: self.kind == .ecdsa
        case .rsa(let bits): self.kind == (bits == 2048 ? .rsa2048 : .rsa3072)
        case .ed25519: self.kind == .ed25519
        }
    }

    /// Whether the image names `other` as its key, or no key at all.
    private func names(_ other: SignatureKey) -> Bool {
        let der = other.rsaPublicKey ?? other.der
        return switch key {
        case nil: true
        case .whole(let bytes): bytes == der
        case .hash(let hash): SHA2.allCases.contains { $0.count == hash.count && $0.digest(der) == hash }
        }
    }

    func verdict(of image: MCUbootImage, by key: SignatureKey) -> Verdict {
        guard fits(key.kind), names(key) else { return .otherKey }
        guard let tlv = image.hashTLV, let digest = tlv.kind?.digest else {
            return .unchecked(because: "the image has no hash")
        }
        if key.kind == .ed25519 {
            guard image.isSignaturePure else { return key.verifies(value, of: tlv.value) ? .valid : .wrong }
            guard !image.isEncrypted else {
                return .unchecked(because: "it is over the bytes before encryption")
            }
            return key.verifies(value, of: image.hashedBytes) ? .valid : .wrong
        }
        guard digest == (key.kind == .p384 ? .sha384 : .sha256) else {
            return .unchecked(because: "it is over a \(digest)")
        }
        return key.verifies(withoutPadding, ofDigest: tlv.value) ? .valid : .wrong
    }

    /// The signature without the zeros that imgtool appends for old bootloaders, two at most, to have one
    /// length.
    private var withoutPadding: [UInt8] {
        guard kind == .ecdsa, value.count >= 2, value[1] < 0x80 else { return value }
        let length = Int(value[1]) + 2
        let rest = value.dropFirst(length)
        return rest.count <= 2 && rest.allSatisfy { $0 == 0 } ? Array(value.prefix(length)) : value
    }
}

extension MCUbootImage {
    /// The signatures in the order of the file.
    package var signatures: [ImageSignature] {
        var key: ImageSignature.Key?
        var found: [ImageSignature] = []
        for tlv in unprotectedTLVs {
            switch tlv.kind {
            case .keyHash: key = .hash(tlv.value)
            case .publicKey: key = .whole(tlv.value)
            case let kind? where kind.isSignature:
                found.append(ImageSignature(kind: kind, offset: tlv.offset, value: tlv.value, key: key))
            default: break
            }
        }
        return found
    }

    /// Whether the signature is over the bytes of the image, not over their hash.
    package var isSignaturePure: Bool {
        unprotectedTLVs.contains { $0.kind == .pureSignature && $0.value == [1] }
    }

    /// The verdict on the signature that is `key`'s; on an image with signatures of other keys only,
    /// `otherKey`. Nil for an image without signature.
    package func verdict(by key: SignatureKey) -> ImageSignature.Verdict? {
        let verdicts = signatures.map { $0.verdict(of: self, by: key) }
        return verdicts.first { $0 != .otherKey } ?? verdicts.first
    }
}

/// The keys in public repositories, with which builds are signed until somebody makes an own key. Everybody
/// can sign with them.
enum PublishedKeys {
    /// Hashes of the public keys of `root-*.pem` in mcu-tools/mcuboot at commit 2d4bacc, which the nRF
    /// Connect SDK uses, too: of SubjectPublicKeyInfo, of RSA of the RSAPublicKey, as images have them. An
    /// image with a SHA-384 or a SHA-512 has that of its key.
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
    ]

    /// The file in mcu-tools/mcuboot with this key; nil if it is not one of these.
    static func name(of key: ImageSignature.Key?) -> String? {
        switch key {
        case nil: nil
        case .hash(let hash): hashes[HexText.encode(hash)]
        case .whole(let bytes): hashes[HexText.encode(SHA2.sha256.digest(bytes))]
        }
    }
}
