import Crypto

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
