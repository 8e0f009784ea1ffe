import Bytes

/// Intel HEX with a signed image, as builds write it for programmers: alone, with the trailer at the end of
/// its slot, or merged with the bootloader and other programs.
struct SignedHexFile {
    let image: MCUbootImage
    let address: UInt32
    /// The bytes in the file that belong neither to the image nor to its padding.
    let otherBytes: Int

    enum Content {
        case one(SignedHexFile)
        /// Several images, at these addresses.
        case several([UInt32])
    }

    /// Slots begin at multiples of a flash page, which has at least this many bytes.
    private static let pageBytes = 0x100
    /// The maximum number of places that are tried: a merged file has two or three images.
    private static let mostPlaces = 16

    /// The images in a file; nil if it is not Intel HEX, or has none.
    static func content(of file: [UInt8]) throws(MCUbootImageError) -> Content? {
        let first = file.first { $0 > 0x20 }
        guard first == UInt8(ascii: ":"), let hex = try? IntelHexFile(parsing: file) else { return nil }
        var places: [(address: UInt32, image: MCUbootImage)] = []
        for (region, start) in starts(in: hex) {
            let address = region.address + UInt32(start)
            let rest = Array(region.bytes[start...])
            // Some tools leave out bytes that are FF.
            var image = try? MCUbootImage(parsing: rest)
            if image == nil, let filled = Self.filled(hex, from: address) {
                image = try? MCUbootImage(parsing: filled)
            }
            // Within a region, an invalid image is ignored: a bootloader contains the magic too, for comparisons.
            if image == nil, start == 0 { image = try MCUbootImage(parsing: rest) }
            guard let image else { continue }
            places.append((address, image))
        }
        guard let place = places.first else { return nil }
        guard places.count == 1 else { return .several(places.map(\.address)) }
        return .one(try SignedHexFile(place.image, at: place.address, of: hex))
    }

    /// The bytes from `address` on, up to the size of a beacon's flash, with FF in gaps; nil if there is no gap.
    private static func filled(_ hex: IntelHexFile, from address: UInt32) -> [UInt8]? {
        let rest = hex.confined(to: UInt64(address)..<UInt64(address) + UInt64(IntelHexFile.flatLimit))
        guard rest.regions.count > 1 else { return nil }
        return try? rest.flattened().bytes
    }

    /// The places where an image may begin: regions, and offsets in them.
    private static func starts(in hex: IntelHexFile) -> [(region: IntelHexFile.Region, offset: Int)] {
        var found: [(region: IntelHexFile.Region, offset: Int)] = []
        for region in hex.regions {
            let first = pageBytes - Int(region.address) % pageBytes
            for offset in [0] + stride(from: first, to: region.bytes.count, by: pageBytes)
            where region.bytes[offset...].starts(with: ImageHeader.beginning) {
                found.append((region, offset))
                if found.count == mostPlaces { return found }
            }
        }
        return found
    }

    private init(_ image: MCUbootImage, at address: UInt32, of hex: IntelHexFile) throws(MCUbootImageError) {
        self.address = address
        // The trailer consists of one or two separate regions at the end of the slot.
        let rest = hex.confined(to: UInt64(address)..<UInt64(1) << 32)
        if let flat = try? rest.flattened(), case .trailer = ImagePadding(flat.bytes[image.end...]) {
            self.image = try MCUbootImage(parsing: flat.bytes)
            otherBytes = hex.dataBytes - rest.dataBytes
            return
        }
        // Bytes that follow without a gap may be another program.
        switch image.padding {
        case .none, .fill, .trailer: self.image = image
        case .other: self.image = try MCUbootImage(parsing: Array(image.bytes.prefix(image.end)))
        }
        let end = UInt64(address) + UInt64(self.image.bytes.count)
        otherBytes = hex.dataBytes - hex.confined(to: UInt64(address)..<end).dataBytes
    }
}
