import Crypto

/// A P-256 key for ECDSA signatures over SHA-256; the same message always gets the same signature.
public struct P256PrivateKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// A new key, from the system's random number generator.
    public init() { key = P256.Signing.PrivateKey() }

    /// The key with this number, 32 bytes, most significant first; nil unless it is between 0 and the order.
    public init?(scalar: some Sequence<UInt8>) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: Array(scalar)) else { return nil }
        self.key = key
    }

    /// The key in a DER structure: PKCS #8 (RFC 5208) or SEC 1 (RFC 5915). Nil if it is neither, has another
    /// curve, or contains a public key that does not match.
    public init?(der: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(derRepresentation: der) else { return nil }
        self.key = key
        // The library ignores the public key; no structure without one is that long. A damaged number is a
        // valid key, but no device would accept its signatures.
        guard der.count < Self.bytesWithPublicKey || der.contains(publicKey.point) else { return nil }
    }

    /// The minimum length of a structure that includes the public key: that of ``sec1``.
    private static let bytesWithPublicKey = 121

    /// The secret number, 32 bytes, most significant first.
    public var scalar: [UInt8] { Array(key.rawRepresentation) }

    /// The key that checks this one's signatures.
    public var publicKey: P256PublicKey { P256PublicKey(key.publicKey) }

    /// The key in SEC 1 (RFC 5915), with curve and public key, 121 bytes:
    ///
    ///      0   7  sequence, version 1, octet string of 32
    ///      7  32  secret number
    ///     39  12  [0] 1.2.840.10045.3.1.7
    ///     51   6  [1] bit string, uncompressed point
    ///     57  64  X, Y
    public var sec1: [UInt8] {
        let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        return [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20] + scalar + curve
            + [0xA1, 0x44, 0x03, 0x42, 0x00, 0x04] + publicKey.point
    }

    /// The signature (`r`, `s`) over the SHA-256 of `message`, 32 bytes each, most significant first.
    ///
    /// Deterministic (RFC 6979). It has been verified with the public key; an unverified signature is never
    /// returned, because a wrong one can reveal the key.
    public func signature(
        of message: [UInt8]
    ) throws(SignatureError) -> (r: [UInt8], s: [UInt8]) {
        let digest = P256Scalar(reducing: SHA256Digest.digest(message))
        let secret = P256Scalar(reducing: scalar)
        var nonces = NonceSequence(scalar: scalar, digest: digest.bytes)
        while true {
            let nonce = nonces.next()
            // The library multiplies the curve's base point: the nonce's public key has the product's X.
            guard let point = P256PrivateKey(scalar: nonce.bytes)?.publicKey.point else {
                throw SignatureError()
            }
            let r = P256Scalar(reducing: point.prefix(32))
            let s = nonce.inverse * (digest + r * secret)
            guard !r.isZero, !s.isZero else { continue }
            guard publicKey.verifies(r: r.bytes, s: s.bytes, of: message) else { throw SignatureError() }
            return (r.bytes, s.bytes)
        }
    }
}

/// The new signature does not verify: a fault of this program or of the machine.
public struct SignatureError: Error, Equatable, Sendable {}

extension SignatureError: CustomStringConvertible {
    /// One line for people.
    public var description: String { "the new signature does not verify" }
}

/// SHA-256, fed in pieces.
public struct SHA256Digest: Sendable {
    private var hash = SHA256()

    /// The digest of nothing yet.
    public init() {}

    /// Feeds more bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// The 32 bytes of the digest, in SHA-256's order.
    public var bytes: [UInt8] { Array(hash.finalize()) }

    /// The digest of `bytes` in one go.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256Digest()
        digest.update(Array(bytes)[...])
        return digest.bytes
    }
}

/// A P-256 key that checks ECDSA signatures over SHA-256.
public struct P256PublicKey: Sendable {
    private let key: P256.Signing.PublicKey

    /// The key at the point (`x`, `y`), 32 bytes each, most significant byte first.
    ///
    /// Nil if the lengths are wrong or the point is not on the curve.
    public init?(x: some Sequence<UInt8>, y: some Sequence<UInt8>) {
        let point = Array(x) + Array(y)
        guard point.count == 64, let key = try? P256.Signing.PublicKey(rawRepresentation: point) else {
            return nil
        }
        self.key = key
    }

    init(_ key: P256.Signing.PublicKey) { self.key = key }

    /// The key in a PEM file (`PUBLIC KEY`), nil if it is not one.
    public init?(pem: String) {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { return nil }
        self.key = key
    }

    /// The key in a DER structure (SubjectPublicKeyInfo, RFC 5480), its point whole or compressed to X and the
    /// sign of Y; nil if it is not one or has another curve.
    public init?(der: [UInt8]) {
        if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            self.key = key
            return
        }
        guard let structure = KeyStructure(der: der), structure.kind == .p256,
            let point = structure.publicBytes,
            point.count == 33, let key = try? P256.Signing.PublicKey(compressedRepresentation: point)
        else { return nil }
        self.key = key
    }

    /// The key as SubjectPublicKeyInfo (RFC 5480).
    public var der: [UInt8] { Array(key.derRepresentation) }

    /// X and Y, 64 bytes, each most significant byte first.
    public var point: [UInt8] { Array(key.rawRepresentation) }

    /// Whether (`r`, `s`), 32 bytes each and most significant byte first, signs `message`.
    public func verifies(
        r: some Sequence<UInt8>, s: some Sequence<UInt8>, of message: some Sequence<UInt8>
    ) -> Bool {
        let halves = Array(r) + Array(s)
        guard halves.count == 64,
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: halves)
        else { return false }
        return key.isValidSignature(signature, for: Array(message))
    }
}
