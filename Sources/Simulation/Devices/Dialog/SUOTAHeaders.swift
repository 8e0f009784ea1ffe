import Bytes

/// The header of an image, in flash and in files (suota-image.md, Layout).
///
///     offset on     size
///     58x  68x  69x
///     0    0    0   2   signature
///     2             1   valid flag, 0xAA
///     3             1   image id
///          2        2   flags: 1 force CRC, 2 valid, 4 and 8 retries
///     4    4    2   4   code size
///     8    8    6   4   CRC-32
///     12   12   10  16  version
///     28   28   26  4   timestamp
///     32            1   bit 0: encrypted
///     33            31  reserved
///          32   30  4   offset of the code
struct ImageHeader: Hashable, Sendable {
    static let valid: UInt8 = 0xAA
    static let validFlag: UInt8 = 0x02

    let family: SUOTAPersonality.Family
    let hasSignature: Bool
    /// Bytes 2 and 3: valid flag and image id on 58x, flags on 68x; empty on 69x.
    let marks: [UInt8]
    let codeSize: Int
    let checksum: UInt32
    let version: [UInt8]
    let timestamp: UInt32
    let encryption: UInt8
    let codeOffset: Int

    init?(_ bytes: some Collection<UInt8>, _ family: SUOTAPersonality.Family) {
        let bytes = Array(bytes.prefix(family.headerSize))
        guard bytes.count == family.headerSize else { return nil }
        let start = family == .da1469x ? 2 : 4
        self.family = family
        hasSignature = bytes.starts(with: family.signature)
        marks = Array(bytes[2..<start])
        codeSize = bytes.field(start, 4)
        checksum = UInt32(truncatingIfNeeded: bytes.field(start + 4, 4))
        version = Array(bytes[start + 8..<start + 24])
        timestamp = UInt32(truncatingIfNeeded: bytes.field(start + 24, 4))
        encryption = family == .da1458x ? bytes[32] : 0
        codeOffset = family == .da1458x ? family.headerSize : bytes.field(start + 28, 4)
    }

    /// 58x: the number that tells which of two images is newer; 0x00 follows 0xFF.
    var id: UInt8 { marks[1] }
    var total: Int { codeOffset + codeSize }
    var versionText: String { String(decoding: version.prefix { $0 != 0 && $0 != 0xFF }, as: UTF8.self) }

    /// Whether the boot code considers the image: signature and, except on 69x, valid flag are right.
    var isFinished: Bool {
        switch family {
        case .da1458x: hasSignature && marks[0] == Self.valid
        case .da1468x: hasSignature && marks[0] & Self.validFlag != 0
        case .da1469x: hasSignature
        }
    }

    /// Whether a receiver considers both the same image.
    func isSame(as other: ImageHeader) -> Bool { version == other.version && timestamp == other.timestamp }

    /// The header that a 58x writes with the first block of an image: its valid flag is 0xFF.
    func unfinished(id: UInt8) -> [UInt8] {
        var writer = ByteWriter(family.signature + [0xFF, id])
        writer.integer(UInt32(truncatingIfNeeded: codeSize))
        writer.integer(checksum)
        writer.append(version)
        writer.integer(timestamp)
        writer.append([encryption] + [UInt8](repeating: 0xFF, count: 31))
        return writer.bytes
    }
}

/// Chooses one of two banks (dialog-suota.md, Which image starts); a nil header is a bank without a valid image.
enum BankChoice {
    /// The bank, 1 or 2, that an update overwrites if the client requests bank 0.
    static func target(_ first: ImageHeader?, _ second: ImageHeader?) -> Int {
        guard let first else { return 1 }
        guard let second else { return 2 }
        switch (first.id, second.id) {
        case (0xFF, 0xFF), (0xFF, 0x00): return 1
        case (0x00, 0xFF): return 2
        case (let one, let two): return one > two ? 2 : 1
        }
    }

    /// The bank, 1 or 2, that is loaded if both images are valid.
    static func newer(_ first: ImageHeader, _ second: ImageHeader) -> Int {
        switch (first.id, second.id) {
        case (0xFF, 0x00): 2
        case (0x00, 0xFF): 1
        case (let one, let two): one >= two ? 1 : 2
        }
    }

    static func id(after other: ImageHeader?) -> UInt8 { other.map { $0.id &+ 1 } ?? 1 }
}

/// The product header of a 58x, which contains the flash addresses of the two banks (suota-image.md).
///
///     0  2  70 52
///     2  2  version
///     4  4  offset of bank 1
///     8  4  offset of bank 2
///     12 6  address
///     18 2  FF FF
///     20 4  offset of the configuration; 0xFFFFFFFF for none
struct ProductHeader: Hashable, Sendable {
    static let size = 24

    let banks: [Int]

    init(banks: [Int]) { self.banks = banks }

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes.starts(with: [0x70, 0x52]) else { return nil }
        banks = [bytes.field(4, 4), bytes.field(8, 4)]
    }

    var capacity: Int { banks[1] - banks[0] - SUOTAPersonality.Family.da1458x.headerSize }

    var bytes: [UInt8] {
        [0x70, 0x52, 0, 0] + banks.flatMap { UInt32(truncatingIfNeeded: $0).bytes() }
            + [UInt8](repeating: 0xFF, count: 12)
    }
}

/// The flash header of a 69x, which names the image that the boot code starts (suota-image.md).
///
///     0  2  50 70
///     2  4  address of the active image
///     6  4  address of the updated image
///     10 2  CRC-16 of bytes 0 to 9
struct FlashHeader: Hashable, Sendable {
    static let size = 12

    let active: Int
    let update: Int
}

extension FlashHeader {
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: [0x50, 0x70]),
            bytes.field(10, 2) == CRC16.checksum(Array(bytes.prefix(10)), from: 0xFFFF)
        else { return nil }
        self.init(active: bytes.field(2, 4), update: bytes.field(6, 4))
    }

    var bytes: [UInt8] {
        let addresses = [active, update].flatMap { UInt32(truncatingIfNeeded: $0).bytes() }
        let fields: [UInt8] = [0x50, 0x70] + addresses
        return fields + CRC16.checksum(fields, from: 0xFFFF).bytes()
    }
}
