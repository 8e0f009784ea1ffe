import Crypto

/// A key for Ed25519 signatures (RFC 8032); the same message always gets the same signature.
public struct Ed25519PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new key, from the system's random number generator.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// The key of these 32 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// The key in PEM of PKCS #8, version 1 (`PRIVATE KEY`, RFC 8410), as OpenSSL writes it; nil if there is none.
    public init?(pem: String) {
        let start = Self.start
        guard let der = PEMBlock.blocks(in: pem).first(where: { $0.label == "PRIVATE KEY" })?.bytes,
            der.starts(with: start)
        else { return nil }
        self.init(bytes: Array(der.dropFirst(start.count)))
    }

    /// The secret, 32 bytes.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// The key that checks this one's signatures.
    public var publicKey: Ed25519PublicKey { Ed25519PublicKey(key.publicKey) }

    /// PEM of PKCS #8 (`PRIVATE KEY`).
    public var pem: String { PEMBlock.text(label: "PRIVATE KEY", Self.start + bytes) }

    /// The signature of `message`, 64 bytes, after verification with the public key.
    public func signature(of message: [UInt8]) throws(SignatureError) -> [UInt8] {
        guard let signature = try? key.signature(for: message),
            publicKey.verifies(Array(signature), of: message)
        else { throw SignatureError() }
        return Array(signature)
    }

    /// PKCS #8 of 1.3.101.112, up to the 32 bytes (RFC 8410, 7).
    private static let start: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
}
