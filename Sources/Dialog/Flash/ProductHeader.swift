import Bytes

/// The record in a device's flash with the offsets of its two images (suota-image.md, Layout); never sent.
public struct ProductHeader: Hashable, Sendable {
    /// Offset from the start of the file.
    public let offset: Int
    /// The chips that use it.
    public let family: HeaderFamily
    /// Offset of the first image; on 68x and 69x of the active one.
    public let first: Int
    /// Offset of the second image; on 68x and 69x of the one for updates.
    public let second: Int

    /// Reads a header; nil unless the signature is known and the offsets are plausible for two images.
    init?(parsing file: [UInt8], at offset: Int) {
        var reader = ByteReader(file[offset...], startingAt: offset)
        guard let (family, first, second) = try? Self.fields(&reader) else { return nil }
        // The largest flash of these chips has 16 MiB; a DA1469x may update in place.
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
