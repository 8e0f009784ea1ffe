import Bytes

/// What flash records about an image, in a page before it; our layout.
///
///     0   2  46 4E
///     2   2  version
///     4   4  length
///     8   2  CRC-16/XMODEM of the image
struct FBeaconNote: Hashable, Sendable {
    static let size = 10

    var version: UInt16
    var length: Int
    var checksum: UInt16

    init(_ image: FBeaconImage) {
        version = image.version
        length = image.length
        checksum = image.checksum
    }

    /// Nil if there is none, or if its image would not fit in `room` bytes.
    init?(_ bytes: [UInt8], room: Int) {
        var reader = ByteReader(bytes)
        guard let mark = try? reader.bytes("mark", 2), mark.elementsEqual([0x46, 0x4E]),
            let version: UInt16 = try? reader.integer("version"),
            let length: UInt32 = try? reader.integer("length"), length <= room,
            let checksum: UInt16 = try? reader.integer("checksum")
        else { return nil }
        self.version = version
        self.length = Int(length)
        self.checksum = checksum
    }

    var bytes: [UInt8] {
        [0x46, 0x4E] + [UInt8](version, .little) + [UInt8](UInt32(clamping: length), .little)
            + [UInt8](checksum, .little)
    }
}
