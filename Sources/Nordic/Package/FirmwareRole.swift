/// The role of a part, by its key in the manifest.
package enum FirmwareRole: String, CaseIterable, Hashable, Sendable {
    /// A SoftDevice and a bootloader in one image, the SoftDevice first.
    case softdeviceBootloader = "softdevice_bootloader"
    case softdevice
    case bootloader
    case application

    /// Whether the part replaces the SoftDevice or bootloader. A package has at most one such part; it is sent first,
    /// and the device resets before the application follows.
    package var isSystem: Bool { self != .application }

    var carriesSoftDevice: Bool { self == .softdevice || self == .softdeviceBootloader }
    /// Whether the image has a bootloader, whose version must rise; an application may have the same version again.
    var carriesBootloader: Bool { self == .bootloader || self == .softdeviceBootloader }

    /// The type of the part's image in an init packet; an application's may also be `externalApplication`.
    var type: FirmwareType { row.type }
    var title: String { row.title }

    private var row: (type: FirmwareType, title: String) {
        switch self {
        case .softdeviceBootloader: (.softdeviceBootloader, "SoftDevice and bootloader")
        case .softdevice: (.softdevice, "SoftDevice")
        case .bootloader: (.bootloader, "bootloader")
        case .application: (.application, "application")
        }
    }

    package func matches(_ type: FirmwareType) -> Bool {
        type == self.type || self == .application && type == .externalApplication
    }
}

/// The type of an image: the number in its init packet, which may also be unknown.
package struct FirmwareType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let application = FirmwareType(rawValue: 0)
    package static let softdevice = FirmwareType(rawValue: 1)
    package static let bootloader = FirmwareType(rawValue: 2)
    package static let softdeviceBootloader = FirmwareType(rawValue: 3)
    /// An image for an external chip connected to this one.
    package static let externalApplication = FirmwareType(rawValue: 4)

    package var name: String {
        rawValue.name(
            in: ["application", "softdevice", "bootloader", "softdevice_bootloader", "external_application"])
    }
}

extension UInt32 {
    /// The element of `names` with this index, for JSON output; the number if there is none.
    func name(in names: [String]) -> String {
        names.indices.contains(Int(self)) ? names[Int(self)] : String(self)
    }
}
