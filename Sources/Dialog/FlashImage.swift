import Bytes
import UpdateModel

/// The content of a Dialog device's whole flash, which SUOTA does not accept: a multi-part image, which begins with a
/// boot header, or a copy that begins with a product header.
package struct FlashImage: Hashable, Sendable, CustomStringConvertible {
    package struct BootHeader: Hashable, Sendable {
        package let memory: MemoryType
        package let bootloaderBytes: Int
    }

    package struct Part: Hashable, Sendable {
        package let offset: Int
        package let header: SUOTAHeader
    }

    /// The boot header at the start; nil if the file starts with a product header.
    package let bootHeader: BootHeader?
    package let productHeader: ProductHeader?
    package let parts: [Part]

    package init?(recognising file: [UInt8]) {
        bootHeader = BootHeader(recognising: file)
        guard bootHeader != nil || ProductHeader(parsing: file, at: 0) != nil else { return nil }
        // Flash is erased in sectors, so headers and images start at a sector.
        let sectors = stride(from: 0, to: file.count, by: 0x1000)
        let found = sectors.lazy.compactMap { ProductHeader(parsing: file, at: $0) }.first
        productHeader = found
        let places = found.map { [$0.first, $0.second] } ?? [0x2000, 0x4000]
        parts = Set(places).sorted().compactMap { Self.part(at: $0, of: file) }
    }

    /// The image at `offset`, if its CRC-32 is right; called for two offsets at most, because it reads the whole image.
    private static func part(at offset: Int, of file: [UInt8]) -> Part? {
        guard offset < file.count, HeaderFamily(signatureOf: file[offset...]) != nil,
            let image = try? SUOTAImage(parsing: Array(file[offset...])), image.header.codeSize > 0,
            image.crcMatches != false
        else { return nil }
        return Part(offset: offset, header: image.header)
    }

    package var description: String { content.joined(separator: ", ") }

    @ListBuilder<String> private var content: [String] {
        if let bootHeader {
            let memory = bootHeader.memory.name.uppercased()
            "an \(memory) boot header and a bootloader of \(bootHeader.bootloaderBytes) bytes"
        }
        for part in parts {
            let version = part.header.version.text
            let name = version.isEmpty ? "an image" : "image \(version)"
            "\(name) (\(part.header.family.rawValue)) at \(HexText.number(part.offset))"
        }
        if let productHeader { "a product header at \(HexText.number(productHeader.offset))" }
    }
}

extension FlashImage.BootHeader {
    fileprivate init?(recognising file: [UInt8]) {
        guard file.count >= 8, file.starts(with: [0x70, 0x50]) else { return nil }
        if file[2..<6].allSatisfy({ $0 == 0 }) {
            self.init(memory: .spi, bootloaderBytes: Int(file[6]) << 8 | Int(file[7]))
        } else {
            guard file.count >= 32, file[5..<32].allSatisfy({ $0 == 0 }) else { return nil }
            self.init(memory: .i2c, bootloaderBytes: Int(file[2]) << 8 | Int(file[3]))
        }
    }
}

extension FlashImage {
    /// The image that the bootloader would start; nil if there is no product header, or no valid image at its offsets.
    ///
    /// On 68x and 69x this is the image at the first offset. On 58x it is the image with the newer id, of those whose valid
    /// flag is AA (suota-image.md, Which image starts).
    package var startedPart: Part? {
        guard let productHeader else { return nil }
        let first = parts.first { $0.offset == productHeader.first }
        let second = parts.first { $0.offset == productHeader.second }
        guard productHeader.family == .da1458x else { return first }
        switch (first.flatMap(Self.startableID), second.flatMap(Self.startableID)) {
        case (let one?, let two?): return Self.isSecondNewer(one, two) ? second : first
        case (_?, nil): return first
        case (nil, _?): return second
        case (nil, nil): return nil
        }
    }

    /// The image id of `part`; nil if its valid flag is not AA, so that a 58x bootloader ignores it.
    private static func startableID(_ part: Part) -> UInt8? {
        guard case .da1458x(validFlag: 0xAA, let imageID, _, _) = part.header.particulars else { return nil }
        return imageID
    }

    /// Whether image id `two` is newer than `one`: ids count up and wrap from FF to 00.
    private static func isSecondNewer(_ one: UInt8, _ two: UInt8) -> Bool {
        switch (one, two) {
        case (0xFF, 0): true
        case (0, 0xFF): false
        default: one < two
        }
    }
}

/// The flash addresses of the two image banks of a DA1458x device (suota-image.md, Checks).
struct FlashBank: Hashable, Sendable {
    let name: String
    let first: Int
    let second: Int

    var payloadLimit: Int { second - first - HeaderFamily.da1458x.headerBytes }

    /// SDK 6 on 2 Mbit of flash; no other known layout has larger banks.
    static let standard = FlashBank(name: "SDK 6, 2 Mbit", first: 0x4000, second: 0x1F000)
    /// All known layouts: SDK 6, DA14531 modules of 1 Mbit, and an open-source price tag.
    static let known = [
        standard, FlashBank(name: "DA14531 module, 1 Mbit", first: 0x4000, second: 0x10000),
        FlashBank(name: "images at 2000 and 14000", first: 0x2000, second: 0x14000),
    ]
}

/// The record in a device's flash with the offsets of its two images (suota-image.md, Layout). SUOTA never sends it.
package struct ProductHeader: Hashable, Sendable {
    package let offset: Int
    package let family: HeaderFamily
    /// Offset of the first image; on 68x and 69x of the active one.
    package let first: Int
    /// Offset of the second image; on 68x and 69x of the one for updates.
    package let second: Int

    /// Reads a header; nil unless the signature is known and the offsets are plausible for two images.
    init?(parsing file: [UInt8], at offset: Int) {
        var reader = ByteReader(file[offset...], startingAt: offset)
        guard let (family, first, second) = try? Self.fields(&reader) else { return nil }
        // The largest flash of these chips has 16 MiB; on a DA1469x the update may overwrite the active image.
        guard first < second || (family == .da1469x && first == second), second < 16 << 20 else { return nil }
        self.offset = offset
        self.family = family
        self.first = Int(first)
        self.second = Int(second)
    }

    private static func fields(
        _ reader: inout ByteReader
    ) throws(ByteError) -> (HeaderFamily, UInt32, UInt32)? {
        let family: HeaderFamily
        switch Array(try reader.bytes("signature", 2)) {
        case [0x70, 0x52]: family = .da1458x
        case [0x70, 0x62]: family = .da1468x
        case [0x50, 0x70]: family = .da1469x
        default: return nil
        }
        if family != .da1469x { _ = try reader.bytes("version or flags", 2) }
        return (family, try reader.integer("first image"), try reader.integer("second image"))
    }
}
