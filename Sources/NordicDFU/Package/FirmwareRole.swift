/// What a part of a package is, by its key in the manifest.
public enum FirmwareRole: String, CaseIterable, Hashable, Sendable {
    /// A SoftDevice and a bootloader in one image, the SoftDevice first.
    case softdeviceBootloader = "softdevice_bootloader"
    /// A SoftDevice alone.
    case softdevice
    /// A bootloader alone.
    case bootloader
    /// The application.
    case application

    /// Whether the part replaces the system under the application; a package has at most one of these,
    /// and it is sent first, with a reset before the application follows.
    public var isSystem: Bool { self != .application }

    /// Whether an init packet that says `type` belongs to this part.
    public func matches(_ type: FirmwareType) -> Bool {
        switch self {
        case .softdeviceBootloader: type == .softdeviceBootloader
        case .softdevice: type == .softdevice
        case .bootloader: type == .bootloader
        case .application: type == .application || type == .externalApplication
        }
    }
}
