/// The type of an image, by the number in its init packet; new numbers may be added.
public struct FirmwareType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// The type with this number, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 0, an application.
    public static let application = FirmwareType(rawValue: 0)
    /// 1, a SoftDevice.
    public static let softdevice = FirmwareType(rawValue: 1)
    /// 2, a bootloader.
    public static let bootloader = FirmwareType(rawValue: 2)
    /// 3, a SoftDevice followed by a bootloader.
    public static let softdeviceBootloader = FirmwareType(rawValue: 3)
    /// 4, an image for an external chip connected to this one.
    public static let externalApplication = FirmwareType(rawValue: 4)

    /// The name in JSON output, or the number if the type has no name.
    public var name: String {
        switch self {
        case .application: "application"
        case .softdevice: "softdevice"
        case .bootloader: "bootloader"
        case .softdeviceBootloader: "softdevice_bootloader"
        case .externalApplication: "external_application"
        default: String(rawValue)
        }
    }
}
