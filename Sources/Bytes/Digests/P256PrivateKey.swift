import CCrypto

/// A P-256 key for ECDSA signatures over SHA-256; the same message always gets the same signature.
public struct P256PrivateKey: Sendable, CustomReflectable {
    /// The secret number, 32 bytes, most significant first.
    public let scalar: [UInt8]
    public let publicKey: P256PublicKey

    /// A new key, from the system's random number generator.
    public init() throws(SignatureError) {
        // One of 2^32 random numbers is above the order.
        for _ in 0..<8 {
            if let key = Self(scalar: [UInt8].random(count: 32)) {
                self = key
                return
            }
        }
        throw .library
    }

    /// The key with this number, 32 bytes, most significant first; nil unless it is between 0 and the order.
    public init?(scalar: some Sequence<UInt8>) {
        self.scalar = Array(scalar)
        guard let key = P256PublicKey(scalar: self.scalar) else { return nil }
        publicKey = key
    }

    /// The key in a DER structure: PKCS #8 (RFC 5208) or SEC 1 (RFC 5915). Nil if it is neither, has another
    /// curve, or contains a public key that does not match.
    public init?(der: [UInt8]) {
        guard let scalar = KeyStructure.scalar(ofP256: der) else { return nil }
        self.init(scalar: scalar)
        // No structure without a public key is that long. The public key is compared because a damaged number is
        // still a valid key, but no device would accept its signatures.
        guard der.count < Self.bytesWithPublicKey || der.contains(publicKey.point) else { return nil }
    }

    /// The minimum length of a structure that includes the public key: that of ``sec1``.
    private static let bytesWithPublicKey = 121

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
    /// It is deterministic (RFC 6979), and has been verified with the public key; an unverified signature is never
    /// returned, because a wrong one can reveal the key.
    public func signature(
        of message: [UInt8]
    ) throws(SignatureError) -> (r: [UInt8], s: [UInt8]) {
        let digest = SHA256Digest.digest(message)
        guard let reduced = P256Group.reduced(digest) else { throw .library }
        var nonces = try NonceSequence(scalar: scalar, digest: reduced)
        // One of 2^32 candidates is above the order.
        for _ in 0..<8 {
            let nonce = try nonces.next()
            guard let (r, s) = P256Group.signature(of: digest, scalar: scalar, nonce: nonce) else { continue }
            guard publicKey.verifies(r: r, s: s, of: message) else { throw .wrong }
            return (r, s)
        }
        throw .library
    }

    /// Only the public key, so that a dump does not show the secret number.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// The candidates for the secret number of a signature, derived from key and message (RFC 6979, 3.2) with HMAC
/// over SHA-256. The same key and message give the same sequence.
struct NonceSequence {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    /// The sequence for the private key `scalar` and a message's SHA-256 as a number modulo the order, 32 bytes each.
    init(scalar: [UInt8], digest: [UInt8]) throws(SignatureError) {
        try mix([0] + scalar + digest)
        try mix([1] + scalar + digest)
    }

    /// The next candidate; it is unusable unless it is between 0 and the order.
    mutating func next() throws(SignatureError) -> [UInt8] {
        if !isFirst { try mix([0]) }
        isFirst = false
        value = try hmac(of: value)
        return value
    }

    private mutating func mix(_ bytes: [UInt8]) throws(SignatureError) {
        key = try hmac(of: value + bytes)
        value = try hmac(of: value)
    }

    private func hmac(of message: [UInt8]) throws(SignatureError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil) != nil else {
            throw .library
        }
        return code
    }
}
