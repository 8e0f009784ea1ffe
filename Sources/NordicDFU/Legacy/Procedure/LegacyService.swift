public import BluetoothTypes
public import UpdateCore

/// The GATT names of Nordic Legacy DFU, in bootloaders and in applications alike (nordic-legacy.md, Layout).
public enum LegacyService {
    /// The service.
    public static let uuid = vendor(0x1530)
    /// Requests by write, answers by notification.
    public static let controlPoint = Characteristic(uuid, vendor(0x1531))
    /// Sizes, init packet and image, by write without response.
    public static let packet = Characteristic(uuid, vendor(0x1532))
    /// The DFU version, two bytes: minor, then major. Bootloaders before SDK 7 have none.
    public static let version = Characteristic(uuid, vendor(0x1534))

    /// The version that an application shows: 0.1.
    static let applicationVersion: [UInt8] = [1, 0]
    /// The versions that bootloaders show: 0.5 to 0.8.
    static let bootloaderVersions: [[UInt8]] = (5...8).map { [$0, 0] }
    /// GAP, GATT and DFU: a device without a version that has more than these runs an application
    /// (Android-DFU-Library, `LegacyButtonlessDfuImpl.java`).
    static let bootloaderServices = 3

    /// What tells who takes updates from an application that has the control point only to give way. A bootloader is above
    /// its application's address from SDK 7 on, which is when it began to show a version.
    public static let targetSignature = TargetSignature(
        controlPoint, version: version,
        receiver: { sign in
            let receiver = sign.receiver(of: uuid)
            guard let version = sign.version.map({ Array($0.prefix(2)) }) else {
                return sign.services.count <= bootloaderServices ? receiver : nil
            }
            guard version != applicationVersion else { return nil }
            // A version that no bootloader has was put there by the author of an application, on purpose or not.
            return receiver == .either && !bootloaderVersions.contains(version) ? .application : receiver
        }, isAbove: { $0.version != nil })

    private static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }
}
