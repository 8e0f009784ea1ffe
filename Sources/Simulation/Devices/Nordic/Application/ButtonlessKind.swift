public import Bluetooth

/// The ways in which an application can enter its bootloader (nordic-buttonless.md, Layout).
public enum ButtonlessKind: String, Hashable, Sendable, CaseIterable {
    /// None.
    case none
    /// SDK 14 and later: indications, and a name for the bootloader.
    case named = "sdk-14"
    /// SDK 13: indications, no name.
    case nameless = "sdk-13"
    /// SDK 14 and later, for centrals with a bond: indications on an encrypted link, no name.
    case bonded = "sdk-14-bonded"
    /// SDK 12: a separate service, with notifications.
    case experimental = "sdk-12"

    var characteristic: BluetoothUUID? {
        switch self {
        case .none: nil
        case .named, .nameless: AttributeTable.buttonless
        case .bonded: AttributeTable.bondedButtonless
        case .experimental: AttributeTable.experimentalButtonless
        }
    }

    var service: AttributeTable.Service? {
        switch self {
        case .none: nil
        case .named, .nameless:
            AttributeTable.Service(
                AttributeTable.dfuService,
                [
                    AttributeTable.Entry(
                        AttributeTable.buttonless, [.write, .indicate], maximumLength: 23,
                        needsSubscription: true)
                ])
        case .bonded:
            AttributeTable.Service(
                AttributeTable.dfuService,
                [
                    AttributeTable.Entry(
                        AttributeTable.bondedButtonless, [.write, .indicate], maximumLength: 23,
                        needsSubscription: true, needsEncryption: true)
                ])
        case .experimental:
            AttributeTable.Service(
                AttributeTable.experimentalButtonless,
                [
                    AttributeTable.Entry(
                        AttributeTable.experimentalButtonless, [.write, .notify], maximumLength: 23,
                        needsSubscription: true)
                ])
        }
    }
}

extension AttributeTable {
    /// Buttonless DFU without bonds.
    public static let buttonless = BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    /// Buttonless DFU with bonds.
    public static let bondedButtonless = BluetoothUUID(
        high: 0x8EC9_0004_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    /// SDK 12: the UUID of both service and characteristic.
    public static let experimentalButtonless = BluetoothUUID(
        high: 0x8E40_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}
