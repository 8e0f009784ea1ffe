import CCrypto

/// A public key that checks signatures of firmware, of one of the types that bootloaders use; libcrypto does the work.
public struct SignatureKey: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// ECDSA on P-256, for digests of SHA-256.
        case p256
        /// ECDSA on P-384, for digests of SHA-384.
        case p384
        /// RSA-PSS with SHA-256, MGF1 with SHA-256, and a salt of 32 bytes.
        case rsa(bits: Int)
        /// Ed25519 (RFC 8032), for whole messages.
        case ed25519
    }

    public let kind: Kind
    /// SubjectPublicKeyInfo (RFC 5280, 4.1), with the whole point of a curve.
    public let der: [UInt8]

    /// The accepted sizes of RSA keys, in bits. A longer key would only cost time.
    public static let rsaBits = 2048...4096

    /// The key in a SubjectPublicKeyInfo. A point compressed to X and the sign of Y is completed. Nil for
    /// another structure, type, curve or size, and if bytes follow.
    public init?(der: [UInt8]) {
        guard let structure = KeyStructure(der: der), let bits = structure.publicBytes,
            structure.kind != .explicitParameters, Libcrypto.isStarted
        else { return nil }
        self.init(owning: Self.key(in: der, by: d2i_PUBKEY))
        // libcrypto also reads other encodings. Only one is accepted, so that a key is identified by its hash.
        let isCompressed = structure.kind != .rsa && kind != .ed25519 && [2, 3].contains(bits.first ?? 0)
        guard isCompressed || self.der == der else { return nil }
    }

    /// The key in PEM: of a public key (`PUBLIC KEY`), or the public half of a private one in PKCS #8, SEC 1
    /// or PKCS #1 without a password. Nil if the text contains none, or different ones.
    public init?(pem: String) {
        let keys = Set(PEMBlock.blocks(in: pem).compactMap(Self.init(block:)))
        guard let key = keys.first, keys.count == 1 else { return nil }
        self = key
    }

    public init?(block: PEMBlock) {
        guard let der = block.bytes, !block.isEncrypted else { return nil }
        switch block.label {
        case "PUBLIC KEY": self.init(der: der)
        case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY":
            guard KeyStructure.isPrivateKey(der), KeyStructure(der: der)?.kind != .explicitParameters,
                Libcrypto.isStarted
            else { return nil }
            self.init(owning: Self.key(in: der, by: d2i_AutoPrivateKey))
        default: return nil
        }
    }

    private typealias Decoder = (
        UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> OpaquePointer?

    /// libcrypto's key for `der`, which the caller frees.
    private static func key(in der: [UInt8], by decode: Decoder) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return decode(nil, &next, bytes.count)
        }
    }

    /// The public half of libcrypto's `key`, which is freed. Errors that libcrypto noted while parsing are dropped.
    private init?(owning key: OpaquePointer?) {
        defer { ERR_clear_error() }
        guard let key else { return nil }
        defer { EVP_PKEY_free(key) }
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_ED25519: kind = .ed25519
        case EVP_PKEY_RSA where Self.rsaBits.contains(Int(EVP_PKEY_get_bits(key))):
            kind = .rsa(bits: Int(EVP_PKEY_get_bits(key)))
        case EVP_PKEY_EC:
            var name = [CChar](repeating: 0, count: 64)
            guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1,
                EVP_PKEY_set_utf8_string_param(key, "point-format", "uncompressed") == 1
            else { return nil }
            switch OBJ_sn2nid(name) {
            case NID_X9_62_prime256v1: kind = .p256
            case NID_secp384r1: kind = .p384
            default: return nil
            }
        default: return nil
        }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &encoded)
        guard count > 0, let encoded else { return nil }
        der = Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
        CRYPTO_free(encoded, nil, 0)
    }

    /// The RSAPublicKey of PKCS #1 (RFC 8017, A.1.1), of which MCUboot stores the hash; nil for other types.
    public var rsaPublicKey: [UInt8]? {
        if case .rsa = kind { KeyStructure(der: der)?.publicBytes } else { nil }
    }

    /// Whether `signature` signs a message with this digest: of SHA-384 for P-384, of SHA-256 or SHA-512 for P-256, and
    /// of SHA-256 for RSA. Of a SHA-512, P-256 signs the first 32 bytes (FIPS 186-5, 6.4.1). A signature of a curve is
    /// DER (`SEQUENCE` of r and s), without bytes after it. Always false for Ed25519.
    public func verifies(_ signature: [UInt8], ofDigest digest: [UInt8]) -> Bool {
        let digests: [SHA2] =
            switch kind {
            case .p256: [.sha256, .sha512]
            case .p384: [.sha384]
            case .rsa: [.sha256]
            case .ed25519: []
            }
        guard digests.contains(where: { $0.count == digest.count }) else { return false }
        return withKey { key in
            guard let context = EVP_PKEY_CTX_new(key, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            guard EVP_PKEY_verify_init(context) == 1 else { return false }
            if case .rsa = kind {
                guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                    EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1,
                    EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1,
                    EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
                else { return false }
            }
            return EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
        }
    }

    /// Whether `signature`, 64 bytes, signs `message`. Always false if the key is not of Ed25519.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard kind == .ed25519 else { return false }
        return withKey { key in
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }

    private func withKey(_ verify: (OpaquePointer) -> Bool) -> Bool {
        guard Libcrypto.isStarted, let key = Self.key(in: der, by: d2i_PUBKEY) else { return false }
        defer {
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        return verify(key)
    }
}

extension SignatureKey.Kind: CustomStringConvertible {
    /// As errors and `inspect` name it: `RSA-2048`.
    public var description: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .rsa(let bits): "RSA-\(bits)"
        case .ed25519: "Ed25519"
        }
    }
}

enum Libcrypto {
    /// Whether libcrypto could be started. It does not free its memory when the process ends, because other threads may
    /// still use it.
    static let isStarted = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}

/// Why no key or signature was created: a fault of this program or of the machine.
public enum SignatureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The new signature does not verify.
    case wrong
    /// OpenSSL could not compute the key or the signature; the reason in OpenSSL's words.
    case failed(String)

    /// ``failed(_:)`` with the last error of OpenSSL in this thread.
    static var library: SignatureError {
        defer { ERR_clear_error() }
        return .failed(
            ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "no reason given")
    }

    public var description: String {
        switch self {
        case .wrong: "the new signature does not verify"
        case .failed(let words): "OpenSSL reports an error: \(words)"
        }
    }
}

extension [UInt8] {
    /// `count` bytes of the system's random number generator.
    static func random(count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }
}
