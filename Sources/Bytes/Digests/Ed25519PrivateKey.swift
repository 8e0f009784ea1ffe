import CCrypto

/// A key for Ed25519 signatures (RFC 8032); the same message always gets the same signature.
public struct Ed25519PrivateKey: Sendable, CustomReflectable {
    /// The secret, 32 bytes.
    public let bytes: [UInt8]
    public let publicKey: Ed25519PublicKey

    /// A new key, from the system's random number generator.
    public init() throws(SignatureError) {
        guard let key = Self(bytes: [UInt8].random(count: 32)) else { throw .library }
        self = key
    }

    /// The key of these 32 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        var point = [UInt8](repeating: 0, count: 32)
        var count = point.count
        guard let key = Self.key(bytes) else { return nil }
        defer { EVP_PKEY_free(key) }
        guard EVP_PKEY_get_raw_public_key(key, &point, &count) == 1,
            let publicKey = Ed25519PublicKey(bytes: point)
        else { return nil }
        (self.bytes, self.publicKey) = (bytes, publicKey)
    }

    private static func key(_ bytes: [UInt8]) -> OpaquePointer? {
        Libcrypto.isStarted ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) : nil
    }

    /// The key in PEM of PKCS #8, version 1 (`PRIVATE KEY`, RFC 8410), as OpenSSL writes it; nil if there is none.
    public init?(pem: String) {
        guard let key = PEMBlock.key(in: pem, label: "PRIVATE KEY", after: Self.start) else { return nil }
        self.init(bytes: key)
    }

    public var pem: String { PEMBlock.text(label: "PRIVATE KEY", Self.start + bytes) }

    /// The signature of `message`, 64 bytes, after verification with the public key.
    public func signature(of message: [UInt8]) throws(SignatureError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard let key = Self.key(bytes) else { throw .library }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { throw .library }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw .library }
        guard publicKey.verifies(signature, of: message) else { throw .wrong }
        return signature
    }

    /// The part of PKCS #8 before the 32 bytes of an Ed25519 key (1.3.101.112; RFC 8410, 7).
    private static let start: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// Only the public key, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// A key that checks Ed25519 signatures (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The key in PEM: of a public key (`PUBLIC KEY`, RFC 8410), or of a private one (`PRIVATE KEY`), which
    /// includes it. Nil if there is neither.
    public init?(pem: String) {
        if let own = Ed25519PrivateKey(pem: pem) {
            self = own.publicKey
            return
        }
        guard let key = PEMBlock.key(in: pem, label: "PUBLIC KEY", after: Self.start) else { return nil }
        self.init(bytes: key)
    }

    /// PEM (`PUBLIC KEY`), as OpenSSL writes it.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", der) }

    /// SubjectPublicKeyInfo (RFC 8410, 4).
    public var der: [UInt8] { Self.start + bytes }

    /// Whether `signature`, 64 bytes, signs `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        SignatureKey(der: der)?.verifies(signature, of: message) ?? false
    }

    /// The part of SubjectPublicKeyInfo before the 32 bytes of an Ed25519 key (1.3.101.112; RFC 8410, 4).
    private static let start: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
