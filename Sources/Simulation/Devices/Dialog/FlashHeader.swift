import Bytes

/// Names the image that the boot code of a 69x starts (suota-image.md).
///
///     0  2  50 70
///     2  4  address of the active image
///     6  4  address of the updated image
///     10 2  CRC-16 over what is before
struct FlashHeader: Hashable, Sendable {
    static let size = 12

    let active: Int
    let update: Int

    init(active: Int, update: Int) {
        self.active = active
        self.update = update
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let signature = try? reader.bytes("signature", 2), signature.elementsEqual([0x50, 0x70]),
            let active: UInt32 = try? reader.integer("active"),
            let update: UInt32 = try? reader.integer("update"),
            let checksum: UInt16 = try? reader.integer("checksum"),
            checksum == CRC16.checksum(Array(bytes.prefix(10)), from: 0xFFFF)
        else { return nil }
        self.init(active: Int(active), update: Int(update))
    }

    var bytes: [UInt8] {
        var writer = ByteWriter([0x50, 0x70])
        writer.integer(UInt32(truncatingIfNeeded: active))
        writer.integer(UInt32(truncatingIfNeeded: update))
        writer.integer(CRC16.checksum(writer.bytes, from: 0xFFFF))
        return writer.bytes
    }
}
