import Bytes

/// One report of a scan: the sender, its signal strength and its data.
public struct Advertisement: Hashable, Sendable {
    public var address: DeviceAddress
    /// Received signal strength in dBm; nil if the adapter does not report it.
    public var rssi: Int8?
    /// Whether the sender is connectable; nil if the report does not show it, as a scan response by itself.
    public var isConnectable: Bool?
    /// The advertising data, and the data of the scan response if the report includes it.
    public var data: AdvertisingData
    /// The packets that carried it; nil if the adapter does not report it.
    public var packets: AdvertisingPackets?

    public init(
        address: DeviceAddress, rssi: Int8?, isConnectable: Bool?, data: AdvertisingData,
        packets: AdvertisingPackets? = nil
    ) {
        (self.address, self.rssi, self.isConnectable) = (address, rssi, isConnectable)
        (self.data, self.packets) = (data, packets)
    }

    /// The combination of two reports of one device: it is connectable if either says so.
    public static func merged(connectable one: Bool?, _ other: Bool?) -> Bool? {
        guard let one, let other else { return one ?? other }
        return one || other
    }
}

/// The packets with which a device advertises (Vol 6, Part B, 2.3).
public enum AdvertisingPackets: Hashable, Sendable, CustomStringConvertible {
    /// Up to 31 bytes on LE 1M, which every adapter hears.
    case legacy
    /// Up to 1650 bytes, which adapters with Bluetooth 5 may hear: `primary` is the PHY of the packets on the
    /// advertising channels, LE 1M or LE Coded, and `secondary` that of the packets with the data; nil if there are
    /// none.
    case extended(primary: PHY, secondary: PHY?)

    public var isExtended: Bool { self != .legacy }
    /// The PHY on the advertising channels.
    public var primary: PHY { if case .extended(let primary, _) = self { primary } else { .le1M } }
    /// The PHY of the packets with the data, on which connections start; nil for legacy packets.
    public var secondary: PHY? { if case .extended(_, let secondary) = self { secondary } else { nil } }

    /// `1M` for legacy packets, `1M/2M` for primary and secondary PHY, `coded` if both are.
    public var description: String {
        guard isExtended else { return primary.rawValue }
        if primary == .leCoded, secondary == .leCoded { return primary.rawValue }
        return "\(primary.rawValue)/\(secondary?.rawValue ?? "-")"
    }
}
