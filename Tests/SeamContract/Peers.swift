public import Bluetooth

/// The peers that the facts need on the air: two beacons in their applications, and an absent address.
///
/// The two take connections and report different firmware revisions (2A26 of Device Information); their DFU service
/// (FE59) has a characteristic that notifies or indicates.
public struct Peers: Hashable, Sendable {
    /// One of them.
    public let first: DeviceAddress
    /// The other.
    public let second: DeviceAddress
    /// An address without a beacon.
    public let absent: DeviceAddress
    /// A readable value of both: a 16-bit UUID, and more than 100 bytes, in one packet of 247.
    public let longValue: Characteristic
    /// The limit of "at once": the time between two advertisements, or what a slow machine needs.
    public let promptness: Duration
    /// The longest time until an advertising peer is heard, or advertises again after a disconnection.
    public let timeout: Duration

    /// The peers at the given addresses.
    public init(
        first: DeviceAddress, second: DeviceAddress, absent: DeviceAddress, longValue: Characteristic,
        promptness: Duration, timeout: Duration = .seconds(12)
    ) {
        self.first = first
        self.second = second
        self.absent = absent
        self.longValue = longValue
        self.promptness = promptness
        self.timeout = timeout
    }
}

extension Peers {
    /// Device Information's firmware revision.
    public static let revision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
    static let dfuService = BluetoothUUID(0xFE59)
    static let clientConfiguration = BluetoothUUID(0x2902)
}
