import Bytes

/// The content of a Dialog device's whole flash, which SUOTA does not accept: a multi-part image, or one that starts
/// with its product header.
public struct FlashImage: Hashable, Sendable {
    /// The start of the file.
    public enum Start: Hashable, Sendable {
        /// A boot header for SPI flash, with the size of the bootloader.
        case spiBootHeader(bootloaderBytes: Int)
        /// A boot header for I2C EEPROM, with the size of the bootloader.
        case i2cBootHeader(bootloaderBytes: Int)
        /// A product header.
        case productHeader(ProductHeader)
    }

    /// An image inside, with a matching CRC-32.
    public struct Part: Hashable, Sendable {
        /// Offset from the start of the file.
        public let offset: Int
        /// Its header.
        public let header: SUOTAHeader
    }

    /// The start of the file.
    public let start: Start
    /// The product header; nil if none was found.
    public let productHeader: ProductHeader?
    /// The images that can be extracted.
    public let parts: [Part]

    /// Recognises a flash by its first bytes; nil if the file is something else.
    public init?(recognising file: [UInt8]) {
        guard let start = Self.start(of: file) else { return nil }
        self.start = start
        // Sectors are the unit of erasing, so everything in a flash starts at one.
        let sectors = stride(from: 0, to: file.count, by: 0x1000)
        let found = sectors.lazy.compactMap { ProductHeader(parsing: file, at: $0) }.first
        productHeader = found
        let places = found.map { [$0.first, $0.second] } ?? [0x2000, 0x4000]
        parts = Set(places).sorted().compactMap { Self.part(at: $0, of: file) }
    }

    private static func start(of file: [UInt8]) -> Start? {
        if let header = ProductHeader(parsing: file, at: 0) { return .productHeader(header) }
        guard file.count >= 8, file.starts(with: [0x70, 0x50]) else { return nil }
        if file[2..<6].allSatisfy({ $0 == 0 }) {
            return .spiBootHeader(bootloaderBytes: Int(file[6]) << 8 | Int(file[7]))
        }
        guard file.count >= 32, file[5..<32].allSatisfy({ $0 == 0 }) else { return nil }
        return .i2cBootHeader(bootloaderBytes: Int(file[2]) << 8 | Int(file[3]))
    }

    /// At most two are checked, so that a hostile file costs no more than reading it twice.
    private static func part(at offset: Int, of file: [UInt8]) -> Part? {
        guard offset < file.count, HeaderFamily(signatureOf: file[offset...]) != nil,
            let image = try? SUOTAImage(parsing: Array(file[offset...])), image.header.codeSize > 0,
            image.crcMatches != false
        else { return nil }
        return Part(offset: offset, header: image.header)
    }
}

extension FlashImage: CustomStringConvertible {
    /// The content, in one line.
    public var description: String {
        var words: [String] =
            switch start {
            case .spiBootHeader(let bytes): ["an SPI boot header and a bootloader of \(bytes) bytes"]
            case .i2cBootHeader(let bytes): ["an I2C boot header and a bootloader of \(bytes) bytes"]
            case .productHeader: []
            }
        words += parts.map { part in
            let version = part.header.version.text
            let name = version.isEmpty ? "an image" : "image \(version)"
            return "\(name) (\(part.header.family.rawValue)) at \(HexText.number(part.offset))"
        }
        if let productHeader {
            words.append("a product header at \(HexText.number(productHeader.offset))")
        }
        return words.joined(separator: ", ")
    }
}
