/// The three headers of SUOTA images, by the chips that use them (suota-image.md, Layout).
package enum HeaderFamily: String, CaseIterable, Sendable {
    /// DA14580 to DA14586 and DA1453x: 64 bytes.
    case da1458x = "58x"
    /// DA1468x: 36 bytes, then extension sections up to the exec location.
    case da1468x = "68x"
    /// DA1469x: 34 bytes, packed; the payload starts at the vector table.
    case da1469x = "69x"

    package init?(signatureOf bytes: some Collection<UInt8>) {
        let known = Self.allCases.first { bytes.starts(with: $0.signature) }
        guard let known else { return nil }
        self = known
    }

    /// The family of the chip whose name is anywhere in `text`, such as `DA14585` or `da1469x` in a model number. Nil
    /// if there is no such name, or if there are several of different families.
    package init?(chipNamedIn text: String) {
        let pieces = text.uppercased().split(separator: "DA14", omittingEmptySubsequences: false).dropFirst()
        let families = Set(pieces.compactMap { Self.chips[String($0.prefix(2))] })
        guard families.count == 1, let family = families.first else { return nil }
        self = family
    }

    /// Families by the two digits after `DA14` in the name of a chip.
    private static let chips: [String: HeaderFamily] = [
        "58": .da1458x, "53": .da1458x, "68": .da1468x, "69": .da1469x,
    ]

    private typealias PayloadOffsetField = (name: String, offset: Int)

    private var row: (signature: [UInt8], headerBytes: Int, chips: String, payload: PayloadOffsetField?) {
        switch self {
        case .da1458x: ([0x70, 0x51], 64, "DA1458x, DA1453x", nil)
        case .da1468x: ([0x70, 0x61], 36, "DA1468x", ("exec location", 32))
        case .da1469x: ([0x51, 0x71], 34, "DA1469x", ("pointer to the vector table", 30))
        }
    }

    /// The first two bytes of an image.
    package var signature: [UInt8] { row.signature }
    /// Bytes of the header itself, without extensions before the payload.
    package var headerBytes: Int { row.headerBytes }
    package var chips: String { row.chips }

    /// Offset in bytes of the code size, which is the size of the payload.
    package var codeSizeOffset: Int { self == .da1469x ? 2 : 4 }
    var crcOffset: Int { codeSizeOffset + 4 }
    var versionOffset: Int { codeSizeOffset + 8 }
    var timestampOffset: Int { versionOffset + ImageVersion.length }
    /// The name and the offset of the header field that states the payload's offset; DA1458x images have none.
    package var payloadOffsetField: (name: String, offset: Int)? { row.payload }
}
