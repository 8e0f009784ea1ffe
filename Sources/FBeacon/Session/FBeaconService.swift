public import BluetoothTypes

/// What Feasycom's beacons are spoken to over (fbeacon.md, Attributes). FFF3, which some have for flow control, is left
/// alone.
public enum FBeaconService {
    /// The service; others use the same number.
    public static let uuid = BluetoothUUID(0xFFF0)
    /// From the beacon: notify.
    static let answers = Characteristic(uuid, BluetoothUUID(0xFFF1))
    /// From us: write, with and without response.
    static let requests = Characteristic(uuid, BluetoothUUID(0xFFF2))
    /// What a device has that takes open containers, and no other: ours (fbeacon.md, Open devices).
    public static let openMark = Characteristic(
        uuid, BluetoothUUID(high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001))
}
