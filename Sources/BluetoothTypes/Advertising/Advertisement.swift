/// One report of a scan: who was heard, how loud, and what it said.
public struct Advertisement: Hashable, Sendable {
    /// Who sent it.
    public var address: DeviceAddress
    /// Received signal strength in dBm; nil when the adapter does not tell.
    public var rssi: Int8?
    /// Whether the sender takes connections; nil where the report does not say, as a scan response by itself does
    /// not.
    public var isConnectable: Bool?
    /// Advertising data and, where it came along, the scan response's.
    public var data: AdvertisingData

    /// A report with the given content.
    public init(address: DeviceAddress, rssi: Int8?, isConnectable: Bool?, data: AdvertisingData) {
        self.address = address
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.data = data
    }

    /// What two reports of one device say together: it takes connections if either says so.
    public static func merged(connectable one: Bool?, _ other: Bool?) -> Bool? {
        guard let one, let other else { return one ?? other }
        return one || other
    }
}
