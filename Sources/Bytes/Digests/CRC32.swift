import CZlib

/// CRC-32/IEEE (reflected polynomial EDB88320), fed in pieces; zlib computes it.
///
/// The check value of the ASCII text `123456789` is CBF43926.
public struct CRC32: Hashable, Sendable {
    /// The checksum of everything fed so far.
    public private(set) var value: UInt32

    /// The version of zlib that is loaded.
    public static var libraryVersion: String { String(cString: zlibVersion()) }

    /// The checksum of nothing, or one that continues from an earlier `value`.
    public init(continuing value: UInt32 = 0) { self.value = value }

    /// Feeds more bytes.
    public mutating func update(_ bytes: ArraySlice<UInt8>) {
        // Without bytes there may be no address, which zlib takes as a request to restart.
        guard !bytes.isEmpty else { return }
        value = bytes.withUnsafeBufferPointer { UInt32(crc32_z(UInt(value), $0.baseAddress, $0.count)) }
    }

    /// The checksum of `bytes` in one go.
    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var digest = CRC32()
        digest.update(bytes)
        return digest.value
    }

    /// The checksum of `bytes` in one go.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 { checksum(bytes[...]) }
}
