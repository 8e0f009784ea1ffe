/// The role of a part, by its key in the manifest.
public enum FirmwareRole: String, CaseIterable, Hashable, Sendable {
    /// A SoftDevice and a bootloader in one image, the SoftDevice first.
    case softdeviceBootloader = "softdevice_bootloader"
    /// A SoftDevice alone.
    case softdevice
    /// A bootloader alone.
    case bootloader
    /// The application.
    case application

    /// Whether the part replaces the SoftDevice or bootloader. A package has at most one such part; it is sent first,
    /// and the device resets before the application follows.
    public var isSystem: Bool { self != .application }

    /// Whether `type`, from an init packet, fits this role.
    public func matches(_ type: FirmwareType) -> Bool {
        switch self {
        case .softdeviceBootloader: type == .softdeviceBootloader
        case .softdevice: type == .softdevice
        case .bootloader: type == .bootloader
        case .application: type == .application || type == .externalApplication
        }
    }
}
