import Crypto

/// A key that checks Ed25519 signatures (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    private let key: Curve25519.Signing.PublicKey

    init(_ key: Curve25519.Signing.PublicKey) { self.key = key }

    /// The key of these 32 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// The key in PEM: of a public key (`PUBLIC KEY`, RFC 8410), or of a private one (`PRIVATE KEY`), which
    /// includes it. Nil if there is neither.
    public init?(pem: String) {
        if let own = Ed25519PrivateKey(pem: pem) {
            self = own.publicKey
            return
        }
        let start = Self.start
        guard let der = PEMBlock.blocks(in: pem).first(where: { $0.label == "PUBLIC KEY" })?.bytes,
            der.starts(with: start)
        else { return nil }
        self.init(bytes: Array(der.dropFirst(start.count)))
    }

    /// 32 bytes.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// PEM (`PUBLIC KEY`), as OpenSSL writes it.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", Self.start + bytes) }

    /// Whether `signature`, 64 bytes, signs `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        signature.count == 64 && key.isValidSignature(signature, for: message)
    }

    /// SubjectPublicKeyInfo of 1.3.101.112, up to the 32 bytes (RFC 8410, 4).
    private static let start: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
