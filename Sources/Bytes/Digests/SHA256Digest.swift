import CCrypto

/// SHA-256, fed in pieces; OpenSSL's libcrypto computes it.
public struct SHA256Digest: Sendable {
    private var context = SHA256_CTX()

    /// The digest of nothing yet.
    public init() { SHA256_Init(&context) }

    /// The version of OpenSSL that is loaded.
    public static var libraryVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// Feeds more bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { SHA256_Update(&context, $0.baseAddress, $0.count) }
    }

    /// The 32 bytes of the digest, in SHA-256's order.
    public var bytes: [UInt8] {
        var context = context
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256_Final(&digest, &context)
        return digest
    }

    /// The digest of `bytes` in one go.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256Digest()
        digest.update(Array(bytes)[...])
        return digest.bytes
    }
}

/// MD5, for formats that require it; it is not secure.
public enum MD5Digest {
    /// The 16 bytes of the digest of `bytes`, in MD5's order.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
        _ = MD5(bytes, bytes.count, &digest)
        return digest
    }
}
