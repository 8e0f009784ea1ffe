import Bytes

/// One image of a package and its init packet.
public struct NordicPart: Hashable, Sendable {
    /// The part's role, by its key in the manifest.
    public let role: FirmwareRole
    /// The entry with the image.
    public let binFile: String
    /// The entry with the init packet.
    public let datFile: String
    /// The image as sent.
    public let image: [UInt8]
    /// The parsed init packet; `initPacket.bytes` is sent.
    public let initPacket: InitPacket
    /// SHA-256 of ``image``.
    public let imageDigest: [UInt8]
    /// The manifest entry, with the packager's informational notes.
    public let manifest: PackageManifest.Part

    init(_ part: PackageManifest.Part, image: [UInt8], initPacket: InitPacket) {
        role = part.role
        binFile = part.binFile
        datFile = part.datFile
        self.image = image
        self.initPacket = initPacket
        imageDigest = SHA256Digest.digest(image)
        manifest = part
    }

    /// Whether the image is the one that the init packet was made for.
    public var hashMatches: Bool {
        guard let hash = initPacket.hash, hash.type == .sha256 else { return false }
        return hash.digest == imageDigest
    }

    /// Whether the image has the size in the init packet.
    public var sizeMatches: Bool { initPacket.expectedImageBytes == image.count }

    /// Whether the manifest and the init packet agree on what the part is.
    public var roleMatches: Bool { initPacket.type.map(role.matches) ?? false }
}
