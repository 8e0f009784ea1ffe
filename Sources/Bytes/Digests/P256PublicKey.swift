/// A P-256 key that checks ECDSA signatures over SHA-256.
public struct P256PublicKey: Sendable {
    /// X and Y, 64 bytes, each most significant byte first.
    public let point: [UInt8]

    /// The key at the point (`x`, `y`), 32 bytes each, most significant byte first.
    ///
    /// Nil if the lengths are wrong or the point is not on the curve.
    public init?(x: some Sequence<UInt8>, y: some Sequence<UInt8>) { self.init(encoded: [4] + x + y) }

    /// The key at a point in the form of SEC 1, 2.3.3: 4, X and Y, or 2 or 3 (the sign of Y) and X.
    private init?(encoded bytes: [UInt8]) {
        guard let first = bytes.first, (2...4).contains(first), let point = P256Group.point(encoded: bytes)
        else { return nil }
        self.point = point
    }

    init?(scalar: [UInt8]) {
        guard let point = P256Group.multiple(scalar) else { return nil }
        self.point = point
    }

    /// The key in a PEM file (`PUBLIC KEY`), nil if it is not one.
    public init?(pem: String) {
        guard let block = PEMBlock.blocks(in: pem).first, block.label == "PUBLIC KEY", let der = block.bytes
        else { return nil }
        self.init(der: der)
    }

    /// The key in a DER structure (SubjectPublicKeyInfo, RFC 5480), its point whole or compressed to X and the
    /// sign of Y; nil if it is not one or has another curve.
    public init?(der: [UInt8]) {
        guard let structure = KeyStructure(der: der), structure.kind == .p256,
            let bytes = structure.publicBytes
        else { return nil }
        self.init(encoded: bytes)
    }

    /// The key as SubjectPublicKeyInfo (RFC 5480).
    public var der: [UInt8] {
        [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
            0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ] + point
    }

    /// Whether (`r`, `s`), 32 bytes each and most significant byte first, signs `message`.
    public func verifies(
        r: some Sequence<UInt8>, s: some Sequence<UInt8>, of message: some Sequence<UInt8>
    ) -> Bool {
        P256Group.verifies((Array(r), Array(s)), of: SHA256Digest.digest(message), point: point)
    }
}
