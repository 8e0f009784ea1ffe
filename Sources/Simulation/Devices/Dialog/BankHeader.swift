import Bytes

/// The image header in a bank of a 58x (suota-image.md, Layout).
///
///     0   2  70 51
///     2   1  valid flag, AA
///     3   1  image id
///     4   4  code size
///     8   4  CRC-32
///     12  16 version
///     28  4  timestamp
///     32  1  bit 0: encrypted
///     33  31 reserved
struct BankHeader: Hashable, Sendable {
    static let size = 64
    static let valid: UInt8 = 0xAA

    let hasSignature: Bool
    let isFinished: Bool
    let id: UInt8
    let codeSize: Int
    let checksum: UInt32
    let version: [UInt8]
    let timestamp: UInt32
    let encryption: UInt8

    /// Nil if `bytes` are shorter than a header.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(Array(bytes.prefix(Self.size)))
        guard reader.remaining == Self.size, let signature = try? reader.bytes("signature", 2),
            let flag: UInt8 = try? reader.integer("valid flag"), let id: UInt8 = try? reader.integer("id"),
            let codeSize: UInt32 = try? reader.integer("code size"),
            let checksum: UInt32 = try? reader.integer("checksum"),
            let version = try? reader.bytes("version", 16),
            let timestamp: UInt32 = try? reader.integer("timestamp"),
            let encryption: UInt8 = try? reader.integer("encryption")
        else { return nil }
        hasSignature = signature.elementsEqual([0x70, 0x51])
        isFinished = flag == Self.valid
        self.id = id
        self.codeSize = Int(codeSize)
        self.checksum = checksum
        self.version = Array(version)
        self.timestamp = timestamp
        self.encryption = encryption
    }

    var isGood: Bool { hasSignature && isFinished }

    /// Whether a receiver considers both the same image.
    func isSame(as other: BankHeader) -> Bool { version == other.version && timestamp == other.timestamp }

    /// The header as the device writes it before an image that is still arriving.
    func unfinished(id: UInt8) -> [UInt8] {
        var writer = ByteWriter([0x70, 0x51, 0xFF, id])
        writer.integer(UInt32(truncatingIfNeeded: codeSize))
        writer.integer(checksum)
        writer.append(version)
        writer.integer(timestamp)
        writer.append([encryption] + [UInt8](repeating: 0xFF, count: 31))
        return writer.bytes
    }
}

extension [UInt8] {
    /// The text of a version field, which ends before the first 00 or FF.
    var versionText: String { String(decoding: prefix { $0 != 0 && $0 != 0xFF }, as: UTF8.self) }
}

/// Chooses one of two banks (dialog-suota.md, Which image starts); a nil header is a bank without a valid image.
enum BankChoice {
    /// The bank that an update with bank 0 overwrites.
    static func target(_ first: BankHeader?, _ second: BankHeader?) -> Int {
        guard let first else { return 1 }
        guard let second else { return 2 }
        switch (first.id, second.id) {
        case (0xFF, 0xFF), (0xFF, 0x00): return 1
        case (0x00, 0xFF): return 2
        case (let one, let two): return one > two ? 2 : 1
        }
    }

    /// The bank that is loaded if both are valid.
    static func newer(_ first: BankHeader, _ second: BankHeader) -> Int {
        switch (first.id, second.id) {
        case (0xFF, 0x00): 2
        case (0x00, 0xFF): 1
        case (let one, let two): one >= two ? 1 : 2
        }
    }

    static func id(beside other: BankHeader?) -> UInt8 { other.map { $0.id &+ 1 } ?? 1 }
}

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
