/// The hash of an image, as it stands in the init packet.
public struct ImageHash: Hashable, Sendable {
    /// How it was made.
    public let type: HashType
    /// The bytes as they travel: the hash with its last byte first.
    public let bytes: [UInt8]

    /// The hash in the order in which SHA-256 writes it.
    public var digest: [UInt8] { bytes.reversed() }
}
