public import UpdateModel

/// A family of beacons: how it is recognised, how it is updated, and its firmware releases.
public struct CatalogueModel: Hashable, Sendable {
    /// The model, with the kind of package that it takes.
    public let device: DeviceModel
    /// What a device has to report to belong to it.
    public let recognition: Recognition
    /// Who can update it, if only the vendor can; nil if this program can.
    public let vendorWay: String?
    /// How its versions are ordered.
    public let scheme: VersionScheme
    /// Where a device reports its installed version; nil if the catalogue does not tell.
    public let versionSource: VersionSource?
    /// The charge in percent below which no update is started; nil for the default limit.
    public let minimumBattery: Int?
    /// The settings for sending an update, if they differ from the default.
    public let settings: [FlashSetting]
    /// The releases, in the file's order.
    public let firmware: [CatalogueFirmware]
    /// Its position in the catalogue.
    public let place: CataloguePlace

    /// The model's name.
    public var name: String { device.name }

    /// The release with the highest version; nil if none can be ordered. Withdrawn releases count.
    public var newest: CatalogueFirmware? {
        let ordered = firmware.compactMap { release in scheme.version(release.version).map { ($0, release) } }
        return ordered.max {
            ($0.0, $0.1.timestamp ?? 0) < ($1.0, $1.1.timestamp ?? 0)
        }?.1
    }
}

extension FirmwareKind {
    /// Firmware that only the vendor's own service or tool can install.
    public static let vendorOnly = FirmwareKind(rawValue: "vendor-only")
}

/// Where a device reports its installed version.
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

/// A setting of an update, with its name in catalogues and its value.
public struct FlashSetting: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value, as written.
    public let value: String
    /// Its position in the catalogue.
    public let place: CataloguePlace

    /// The valid names.
    public static let names = [
        "attempts", "await_signature", "bank", "block_size", "chunk_size", "pins", "prn", "profile",
        "transport",
    ]
}
