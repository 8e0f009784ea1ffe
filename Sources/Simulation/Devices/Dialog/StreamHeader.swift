import Bytes

/// The header at the start of a 68x or 69x image (suota-image.md, Layout).
///
///     68x  69x
///     0    0   2  signature
///     2        2  flags: 1 force CRC, 2 valid, 4 and 8 retries
///     4    2   4  code size
///     8    6   4  CRC-32
///     12   10  16 version
///     28   26  4  timestamp
///     32   30  4  offset of the code
struct StreamHeader: Hashable, Sendable {
    static let valid = 0x02

    let hasSignature: Bool
    let flags: Int
    let codeSize: Int
    let checksum: UInt32
    let version: [UInt8]
    let timestamp: UInt32
    let codeOffset: Int

    /// Nil if `bytes` are shorter than a header.
    init?(_ bytes: some Collection<UInt8>, _ family: SUOTAPersonality.Family) {
        var reader = ByteReader(Array(bytes.prefix(family.headerSize)))
        guard let signature = try? reader.bytes("signature", 2) else { return nil }
        var flags: UInt16 = UInt16(Self.valid)
        if family == .da1468x {
            guard let field: UInt16 = try? reader.integer("flags") else { return nil }
            flags = field
        }
        guard let codeSize: UInt32 = try? reader.integer("code size"),
            let checksum: UInt32 = try? reader.integer("checksum"),
            let version = try? reader.bytes("version", 16),
            let timestamp: UInt32 = try? reader.integer("timestamp"),
            let codeOffset: UInt32 = try? reader.integer("code offset")
        else { return nil }
        hasSignature = signature.elementsEqual(family.signature)
        self.flags = Int(flags)
        self.codeSize = Int(codeSize)
        self.checksum = checksum
        self.version = Array(version)
        self.timestamp = timestamp
        self.codeOffset = Int(codeOffset)
    }

    /// The bytes of header and code.
    var total: Int { codeOffset + codeSize }

    /// Whether the loader accepts the image.
    var isFinished: Bool { hasSignature && flags & Self.valid != 0 }
}
