public import Bluetooth

/// The characteristics that make an application start its bootloader (nordic-buttonless.md, Layout).
public enum ButtonlessService {
    /// SDK 13 and later, applications without bonds. Responds by indication.
    public static let unbonded = Characteristic(
        SecureService.uuid, BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50))
    /// SDK 14 and later, applications with bonds. Responds by indication, on an encrypted link.
    public static let bonded = Characteristic(
        SecureService.uuid, BluetoothUUID(high: 0x8EC9_0004_F315_4F60, low: 0x9FB8_8388_30DA_EA50))
    /// SDK 12, experimental: service and characteristic share the UUID. Responds by notification.
    public static let experimental = Characteristic(experimentalUUID, experimentalUUID)

    private static let experimentalUUID = BluetoothUUID(
        high: 0x8E40_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}
