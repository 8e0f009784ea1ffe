package import Bytes

/// A private key that signs images, and the way of signing.
package enum ImageSigner: Sendable {
    /// ECDSA with P-256 and SHA-256; deterministic, while imgtool's signatures differ each time.
    case p256(P256PrivateKey)
    /// Ed25519 over the image's digest, or, with `isPure`, over the image itself.
    case ed25519(Ed25519PrivateKey, isPure: Bool)

    /// The public key as bootloaders hash it: SubjectPublicKeyInfo in DER.
    package var publicKey: [UInt8] {
        switch self {
        case .p256(let key): key.publicKey.der
        case .ed25519(let key, _): key.publicKey.der
        }
    }

    /// The image digests that this signer may be used with, the usual one first.
    var digests: [SHA2] {
        switch self {
        case .p256: [.sha256]
        case .ed25519(_, isPure: true): [.sha512]
        case .ed25519(_, isPure: false): [.sha256, .sha512]
        }
    }

    var isPure: Bool { if case .ed25519(_, isPure: true) = self { true } else { false } }

    var signatureType: ImageTLV.Kind {
        switch self {
        case .p256: .ecdsa
        case .ed25519: .ed25519
        }
    }

    func signature(of image: [UInt8], digest: [UInt8]) throws(SignatureError) -> [UInt8] {
        switch self {
        case .p256(let key):
            let (r, s) = try key.signature(of: image)
            let numbers = Self.integer(r) + Self.integer(s)
            return [0x30, UInt8(truncatingIfNeeded: numbers.count)] + numbers
        case .ed25519(let key, let isPure): return try key.signature(of: isPure ? image : digest)
        }
    }

    /// A positive number of up to 32 bytes in DER: the shortest form, after a zero byte if its first bit is set.
    private static func integer(_ number: [UInt8]) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(truncatingIfNeeded: digits.count)] + digits
    }
}
