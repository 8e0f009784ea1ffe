public import Bluetooth

/// The GATT attributes of SUOTA (dialog-suota.md, Layout).
public enum SUOTAService {
    /// The service.
    public static let uuid = BluetoothUUID(0xFEF5)
    /// Commands by write: start, end, reboot, abort.
    public static let memoryDevice = characteristic(0x8082_CAA8_41A6_4021, 0x91C6_56F9_B954_CC34)
    /// The pins of the memory by write.
    public static let pins = characteristic(0x7242_49F0_5EC3_4B5F, 0x8804_4234_5AF0_8651)
    /// The number of bytes that the device has, 4 bytes.
    public static let memoryInformation = characteristic(0x6C53_DB25_47A1_45FE, 0xA022_7C92_FB33_4FD4)
    /// Bytes per block for the following blocks, by write, 2 bytes.
    public static let patchLength = characteristic(0x9D84_B9A3_000C_49D8, 0x9183_855B_673F_DA31)
    /// The image, by write without response.
    public static let patchData = characteristic(0x4578_71E8_D516_4CA1, 0x9116_57D0_B17B_9CB2)
    /// Responses by notification; the last one can be read.
    public static let status = characteristic(0x5F78_DF94_798C_46F5, 0x990A_B3EB_6A06_5C88)
    /// The channel on which an image can be sent instead, 2 bytes.
    public static let psm = characteristic(0x61C8_849C_F639_4765, 0x946E_5C34_19BE_BB2A)
    /// The version of the service, 1 byte: 13 is 1.3.
    public static let version = characteristic(0x64B4_E8B5_0DE5_401B, 0xA21D_ACC8_DB3B_913A)
    /// The largest write to ``patchData`` in bytes, 2 bytes.
    public static let patchDataSize = characteristic(0x42C3_DFDD_77BE_4D9C, 0x8454_8F87_5267_FB3B)
    /// The MTU of this link, 2 bytes.
    public static let mtu = characteristic(0xB7DE_1EEA_823D_43BB, 0xA3AF_C490_3DFC_E23C)

    private static func characteristic(_ high: UInt64, _ low: UInt64) -> Characteristic {
        Characteristic(uuid, BluetoothUUID(high: high, low: low))
    }
}

/// The values of the Device Information Service that distinguish devices (DIS 1.1, 3).
enum DeviceInformation: UInt16, CaseIterable, Sendable {
    case manufacturer = 0x2A29
    case model = 0x2A24
    case firmwareRevision = 0x2A26
    case softwareRevision = 0x2A28

    var characteristic: Characteristic { Characteristic(BluetoothUUID(0x180A), BluetoothUUID(rawValue)) }

    /// The name for people.
    var name: String {
        switch self {
        case .manufacturer: "manufacturer"
        case .model: "model"
        case .firmwareRevision: "firmware revision"
        case .softwareRevision: "software revision"
        }
    }

    /// Whether it may be the version of the running program.
    var isRevision: Bool { self == .firmwareRevision || self == .softwareRevision }
}
