/// The hash of an image in the init packet.
public struct ImageHash: Hashable, Sendable {
    /// The hash algorithm.
    public let type: HashType
    /// The bytes as sent: the hash in reverse byte order.
    public let bytes: [UInt8]

    /// The hash in the usual byte order.
    public var digest: [UInt8] { bytes.reversed() }
}
