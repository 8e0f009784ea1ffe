import CCrypto

/// SHA-256, fed in pieces; OpenSSL's libcrypto computes it.
public struct SHA256Digest: Sendable {
    private var context = SHA256_CTX()

    public init() { SHA256_Init(&context) }

    public static var libraryVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { SHA256_Update(&context, $0.baseAddress, $0.count) }
    }

    public var bytes: [UInt8] {
        var context = context
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256_Final(&digest, &context)
        return digest
    }

    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256Digest()
        digest.update(Array(bytes)[...])
        return digest.bytes
    }

    /// The digest of `bytes` in hexadecimal, lower case.
    package static func text(of bytes: some Sequence<UInt8>) -> String { HexText.encode(digest(bytes)) }
}

/// The digests of SHA-2 (FIPS 180-4) in one go; ``SHA256Digest`` takes pieces.
public enum SHA2: Int, CaseIterable, Sendable, CustomStringConvertible {
    case sha256 = 32
    case sha384 = 48
    case sha512 = 64

    /// The bytes of a digest.
    public var count: Int { rawValue }

    public func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        switch self {
        case .sha256: CCrypto.SHA256(bytes, bytes.count, &digest)
        case .sha384: SHA384(bytes, bytes.count, &digest)
        case .sha512: SHA512(bytes, bytes.count, &digest)
        }
        return digest
    }

    public var description: String { "SHA-\(count * 8)" }
}

/// MD5, for formats that require it; it is not secure.
public enum MD5Digest {
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
        _ = MD5(bytes, bytes.count, &digest)
        return digest
    }
}
