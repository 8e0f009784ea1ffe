import Crypto

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
