import Digests

/// Init packets that the simulated bootloaders take: unsigned, hardware 52, SoftDevice 0x98.
///
/// Written byte by byte, so that neither client nor simulator has made them.
public enum UnsignedInitPacket {
    /// The init packet of an application.
    public static func bytes(for image: [UInt8], version: UInt8 = 1) -> [UInt8] {
        func varint(_ value: Int) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
        }
        let hash: [UInt8] = [0x08, 0x03, 0x12, 0x20] + SHA256Digest.digest(image).reversed()
        let fields: [UInt8] =
            [0x08, version, 0x10, 52, 0x1A, 2, 0x98, 0x01, 0x20, 0, 0x28, 0, 0x30, 0, 0x38]
            + varint(image.count) + [0x42, UInt8(hash.count)] + hash + [0x48, 0]
        let command: [UInt8] = [0x08, 0x01, 0x12, UInt8(fields.count)] + fields
        return [0x0A, UInt8(command.count)] + command
    }
}
