import Digests

/// One image of a package and the init packet that announces it.
public struct NordicPart: Hashable, Sendable {
    /// What the part is, by its key in the manifest.
    public let role: FirmwareRole
    /// The entry with the image.
    public let binFile: String
    /// The entry with the init packet.
    public let datFile: String
    /// The image as it is sent.
    public let image: [UInt8]
    /// What the init packet says; `initPacket.bytes` is what is sent.
    public let initPacket: InitPacket
    /// SHA-256 of ``image``.
    public let imageDigest: [UInt8]
    /// What the packager noted in the manifest for people.
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

    /// Whether the image has as many bytes as the init packet says.
    public var sizeMatches: Bool { initPacket.expectedImageBytes == image.count }

    /// Whether the manifest and the init packet agree on what the part is.
    public var roleMatches: Bool { initPacket.type.map(role.matches) ?? false }
}
