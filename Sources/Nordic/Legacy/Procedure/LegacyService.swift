public import Bluetooth
public import UpdateModel

/// The GATT attributes of Nordic Legacy DFU, the same in bootloaders and applications (nordic-legacy.md, Layout).
public enum LegacyService {
    /// The service.
    public static let uuid = vendor(0x1530)
    /// Requests by write, responses by notification.
    public static let controlPoint = Characteristic(uuid, vendor(0x1531))
    /// Sizes, init packet and image, by write without response.
    public static let packet = Characteristic(uuid, vendor(0x1532))
    /// The DFU version, two bytes: minor, then major. Absent in bootloaders before SDK 7.
    public static let version = Characteristic(uuid, vendor(0x1534))

    /// The version that applications show: 0.1.
    static let applicationVersion: [UInt8] = [1, 0]
    /// The versions that bootloaders show: 0.5 to 0.8.
    static let bootloaderVersions: [[UInt8]] = (5...8).map { [$0, 0] }
    /// GAP, GATT and DFU: a device without a version and with more services than these runs an application
    /// (Android-DFU-Library, `LegacyButtonlessDfuImpl.java`).
    static let bootloaderServices = 3

    /// Distinguishes a program that takes updates from an application that has the control point only to enter the
    /// bootloader. From SDK 7 on, which introduced the version, a bootloader's address is above its application's.
    public static let targetSignature = TargetSignature(
        controlPoint, version: version,
        receiver: { sign in
            let receiver = sign.receiver(of: uuid)
            guard let version = sign.version.map({ Array($0.prefix(2)) }) else {
                return sign.services.count <= bootloaderServices ? receiver : nil
            }
            guard version != applicationVersion else { return nil }
            // A version that no bootloader has was set by the author of an application.
            return receiver == .either && !bootloaderVersions.contains(version) ? .application : receiver
        }, isAbove: { $0.version != nil })

    private static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }
}
