extension FlashImage {
    /// The image that the bootloader would start; nil if no product header shows where it looks, or if no image there
    /// is valid.
    ///
    /// 68x and 69x product headers name it. On 58x the ids decide between images whose valid flag is AA
    /// (suota-image.md, Which image starts).
    public var starting: Part? {
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

    /// The id of an image that a 58x bootloader considers.
    private static func startableID(_ part: Part) -> UInt8? {
        guard case .da1458x(validFlag: 0xAA, let imageID, _, _) = part.header.particulars else { return nil }
        return imageID
    }

    /// Ids count up and wrap from FF to 00.
    private static func isSecondNewer(_ one: UInt8, _ two: UInt8) -> Bool {
        switch (one, two) {
        case (0xFF, 0): true
        case (0, 0xFF): false
        default: one < two
        }
    }
}
