public import Bluetooth

/// The GATT attributes of Nordic Secure DFU (nordic-secure.md, Layout).
public enum SecureService {
    /// The service of the bootloader, and of applications with a buttonless characteristic.
    public static let uuid = BluetoothUUID(0xFE59)
    /// Requests by write, responses by notification. Only bootloaders have it.
    public static let controlPoint = Characteristic(uuid, vendor(0x0001))
    /// Init packet and image, by write without response.
    public static let packet = Characteristic(uuid, vendor(0x0002))

    private static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x8EC9_0000_F315_4F60 | number << 32, low: 0x9FB8_8388_30DA_EA50)
    }
}
