public import FirmwareModel

/// A family of beacons: how one is recognised, how it is updated, and the firmware that was released for it.
public struct CatalogueModel: Hashable, Sendable {
    /// The model, with the kind of package that it takes.
    public let device: DeviceModel
    /// What a device has to say to be one of these.
    public let recognition: Recognition
    /// Who can update it, where the vendor alone can; nil where this program can.
    public let vendorWay: String?
    /// How its versions are ordered.
    public let scheme: VersionScheme
    /// What a device says its installed version in; nil where the catalogue does not tell.
    public let versionSource: VersionSource?
    /// The charge in percent below which no update is begun; nil for the usual limit.
    public let minimumBattery: Int?
    /// How an update of one is sent, otherwise than by default.
    public let settings: [FlashSetting]
    /// The releases, in the file's order.
    public let firmware: [CatalogueFirmware]
    /// Where it is written.
    public let place: CataloguePlace

    /// The model's name.
    public var name: String { device.name }

    /// The release with the highest version; nil when there is none that can be ordered. What was withdrawn was
    /// released all the same.
    public var newest: CatalogueFirmware? {
        let ordered = firmware.compactMap { release in scheme.version(release.version).map { ($0, release) } }
        return ordered.max {
            ($0.0, $0.1.timestamp ?? 0) < ($1.0, $1.1.timestamp ?? 0)
        }?.1
    }
}

extension FirmwareKind {
    /// What only the vendor's own service or tool can install.
    public static let vendorOnly = FirmwareKind(rawValue: "vendor-only")
}

/// What a device says its installed version in.
public enum VersionSource: String, CaseIterable, Sendable {
    /// The frames that it advertises.
    case advertising
    /// Firmware Revision String of Device Information (2A26).
    case firmwareRevision = "firmware-revision"
    /// Software Revision String of Device Information (2A28).
    case softwareRevision = "software-revision"
    /// The vendor's own session.
    case session
}

/// A setting of an update, by its name in catalogues, and its value.
public struct FlashSetting: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value, as it is written.
    public let value: String
    /// Where it is written.
    public let place: CataloguePlace

    /// The names that there are.
    public static let names = [
        "attempts", "await_signature", "bank", "block_size", "chunk_size", "pins", "prn", "profile",
        "transport",
    ]
}
