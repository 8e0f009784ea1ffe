import Bytes
package import MCUboot

/// An MCUboot image with a hash of SHA-256, built by neither the client nor the simulator.
package struct MCUbootTestImage: Sendable {
    package let image: Int
    package let bytes: [UInt8]
    package let hash: [UInt8]
    package let version: ImageVersion
    /// The slot that it is linked for; nil if it runs from any.
    package let slot: Int?
    /// Whether the header has the address of the slot that it is linked for.
    private let hasAddress: Bool

    /// An image with `count` bytes of program for the image number `image`, signed by the key with this hash.
    /// The flag 0x20 is for modes that load it to RAM, 0x100 for an image linked for `loadAddress`.
    package init(
        _ count: Int, image: Int = 0, version: ImageVersion = ImageVersion(major: 1, minor: 1, revision: 0),
        seed: UInt8 = 0, keyHash: [UInt8] = [UInt8](repeating: 0x4B, count: 32), flags: UInt32 = 0,
        loadAddress: UInt32 = 0, slot: Int? = nil
    ) {
        (self.image, self.version, self.slot) = (image, version, slot)
        hasAddress = flags & 0x100 != 0
        var header = ByteWriter([0x3D, 0xB8, 0xF3, 0x96])
        header.integer(loadAddress)
        header.integer(UInt16(32))
        header.integer(UInt16(0))
        header.integer(UInt32(count))
        header.integer(flags)
        header.append([version.major, version.minor])
        header.integer(version.revision)
        header.integer(version.build)
        header.integer(UInt32(0))
        let program = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) &+ seed }
        let hashed = header.bytes + program
        hash = SHA256Digest.digest(hashed)
        let signature = [UInt8](repeating: 0x51, count: 64)
        let entries = Self.entry(0x10, hash) + Self.entry(0x01, keyHash) + Self.entry(0x24, signature)
        bytes = hashed + [0x07, 0x69] + UInt16(entries.count + 4).bytes() + entries
    }

    private static func entry(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        type.bytes() + UInt16(value.count).bytes() + value
    }

    package var upload: ImageUpload { upload(linkedFor: slot) }

    package func upload(linkedFor slot: Int?) -> ImageUpload {
        ImageUpload(
            image: image, slot: slot, bytes: bytes, hash: hash, version: version, hasAddress: hasAddress)
    }
}
