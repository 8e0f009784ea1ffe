/// Addresses between two regions of Intel HEX that flattening fills with FF.
public struct HexGap: Hashable, Sendable {
    /// The region before it.
    public let before: IntelHexFile.Region
    /// The region after it.
    public let after: IntelHexFile.Region

    /// The number of filled bytes.
    public var bytes: Int { Int(UInt64(after.address) - before.end) }

    /// The settings addresses of Nordic's bootloaders, and of the backup copy one page below: at the end of the
    /// flash of nRF51, nRF52810, nRF52820, nRF52832, nRF52833 and nRF52840.
    private static let settings: Set<UInt32> = [
        0x3FC00, 0x2E000, 0x2F000, 0x3E000, 0x3F000, 0x7E000, 0x7F000, 0xFE000, 0xFF000,
    ]

    /// Whether the region after it is at a settings address, and is no longer than the settings.
    public var isBeforeSettings: Bool { Self.settings.contains(after.address) && after.bytes.count <= 0x1000 }
}

extension IntelHexFile {
    /// The gaps of at least `bytes`, by rising address.
    public func gaps(ofAtLeast bytes: Int) -> [HexGap] {
        zip(regions, regions.dropFirst()).map { HexGap(before: $0, after: $1) }.filter { $0.bytes >= bytes }
    }
}
