import Bytes

/// Names the places of the two banks of a 58x (suota-image.md).
///
///     0  2  70 52
///     2  2  version
///     4  4  offset of bank 1
///     8  4  offset of bank 2
///     12 6  address
///     18 2  FF FF
///     20 4  offset of the configuration; FFFFFFFF for none
struct ProductHeader: Hashable, Sendable {
    static let size = 24

    let banks: [Int]

    init(banks: [Int]) { self.banks = banks }

    /// Nil if there is none.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let signature = try? reader.bytes("signature", 2), signature.elementsEqual([0x70, 0x52]),
            (try? reader.bytes("version", 2)) != nil, let first: UInt32 = try? reader.integer("bank 1"),
            let second: UInt32 = try? reader.integer("bank 2")
        else { return nil }
        banks = [Int(first), Int(second)]
    }

    /// The largest code size of an image, in either bank.
    var capacity: Int { banks[1] - banks[0] - BankHeader.size }

    var bytes: [UInt8] {
        var writer = ByteWriter([0x70, 0x52, 0, 0])
        for bank in banks { writer.integer(UInt32(truncatingIfNeeded: bank)) }
        writer.append([UInt8](repeating: 0xFF, count: 12))
        return writer.bytes
    }
}
