/// One report of a scan: the sender, its signal strength and its data.
public struct Advertisement: Hashable, Sendable {
    /// The sender's address.
    public var address: DeviceAddress
    /// Received signal strength in dBm; nil when the adapter does not tell.
    public var rssi: Int8?
    /// Whether the sender is connectable; nil if the report does not tell, as a scan response by itself.
    public var isConnectable: Bool?
    /// Advertising data and, if it was included, the scan response's.
    public var data: AdvertisingData

    /// A report with the given content.
    public init(address: DeviceAddress, rssi: Int8?, isConnectable: Bool?, data: AdvertisingData) {
        self.address = address
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.data = data
    }

    /// The combination of two reports of one device: it is connectable if either says so.
    public static func merged(connectable one: Bool?, _ other: Bool?) -> Bool? {
        guard let one, let other else { return one ?? other }
        return one || other
    }
}
