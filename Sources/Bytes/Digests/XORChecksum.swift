import Crypto

/// The XOR of all bytes, fed in pieces: the check of older Dialog receivers.
public struct XORChecksum: Hashable, Sendable {
    /// The checksum of everything fed so far; 0 for nothing.
    public private(set) var value: UInt8 = 0

    /// The checksum of nothing yet.
    public init() {}

    /// Feeds more bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        value = bytes.withUnsafeBufferPointer { $0.reduce(value, ^) }
    }

    /// The checksum of `bytes` in one go.
    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var digest = XORChecksum()
        digest.update(bytes)
        return digest.value
    }
}

/// MD5, for formats that require it; it is not secure.
public enum MD5Digest {
    /// The 16 bytes of the digest of `bytes`, in MD5's order.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(Insecure.MD5.hash(data: Array(bytes)))
    }
}
