import Bluetooth

/// The attributes of a KBeacon's session (kbeacon.md, Attributes).
enum KBeaconService {
    static let uuid = BluetoothUUID(0xFEA0)
    /// From us: write, with and without response.
    static let requests = Characteristic(uuid, BluetoothUUID(0xFEA1))
    /// From the beacon: notify.
    static let answers = Characteristic(uuid, BluetoothUUID(0xFEA2))
    /// Trigger events: indicate.
    static let events = Characteristic(uuid, BluetoothUUID(0xFEA3))
}
