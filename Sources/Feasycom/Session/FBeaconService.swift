public import Bluetooth

/// The attributes of a session with a Feasycom beacon (fbeacon.md, Attributes). FFF3, which some have for flow
/// control, is not used.
public enum FBeaconService {
    /// The service; other makers use the same number.
    public static let uuid = BluetoothUUID(0xFFF0)
    /// From the beacon: notify.
    static let answers = Characteristic(uuid, BluetoothUUID(0xFFF1))
    /// From us: write, with and without response.
    static let requests = Characteristic(uuid, BluetoothUUID(0xFFF2))
    /// Identifies a device that accepts open containers; defined by this project (fbeacon.md, Open devices).
    public static let openMark = Characteristic(
        uuid, BluetoothUUID(high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001))
}
