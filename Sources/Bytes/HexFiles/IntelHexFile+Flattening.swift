/// A program as one contiguous block of bytes with its address.
public struct FlatImage: Hashable, Sendable {
    /// The address of the first byte.
    public let address: UInt32
    /// The bytes; gaps are FF.
    public let bytes: [UInt8]
}

extension IntelHexFile {
    /// The largest flattened image, in bytes: more than any chip's flash.
    public static let flatLimit = 8 << 20

    /// All regions as one contiguous block, with FF between them, from `start` or else from the lowest address;
    /// its length is rounded up to a multiple of `alignment` with FF.
    public func flattened(
        from start: UInt32? = nil, alignment: Int = 1, atMost limit: Int = flatLimit
    ) throws(HexError) -> FlatImage {
        guard let first = regions.first, let last = regions.last else { throw HexError(.noData) }
        let start = start ?? first.address
        guard first.address >= start else {
            throw HexError(.belowStart(address: first.address, start: start))
        }
        let unit = UInt64(max(alignment, 1))
        let size = (last.end - UInt64(start) + unit - 1) / unit * unit
        guard size <= UInt64(limit) else {
            throw HexError(.tooLarge(what: "flattened image", bytes: Int(size), limit: limit))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(size))
        for region in regions {
            bytes += repeatElement(0xFF, count: Int(region.address - start) - bytes.count)
            bytes += region.bytes
        }
        bytes += repeatElement(0xFF, count: Int(size) - bytes.count)
        return FlatImage(address: start, bytes: bytes)
    }

    /// The part inside `addresses`; regions are cut at its limits.
    public func confined(to addresses: Range<UInt64>) -> IntelHexFile {
        let kept = regions.compactMap { region -> Region? in
            let range = (UInt64(region.address)..<region.end).clamped(to: addresses)
            guard !range.isEmpty else { return nil }
            let place = Int(range.lowerBound - UInt64(region.address))
            return Region(
                address: UInt32(range.lowerBound),
                bytes: Array(region.bytes[place..<place + range.count]))
        }
        return IntelHexFile(regions: kept, startAddress: startAddress)
    }

    /// The bytes of `addresses`; nil if one of them is not defined.
    public func bytes(at addresses: Range<UInt64>) -> ArraySlice<UInt8>? {
        guard
            let region = regions.first(where: {
                UInt64($0.address) <= addresses.lowerBound && addresses.upperBound <= $0.end
            })
        else { return nil }
        let place = Int(addresses.lowerBound - UInt64(region.address))
        return region.bytes[place..<place + addresses.count]
    }
}
