import Bytes
package import UpdateModel

/// A family of beacons: how it is recognised, how it is updated, and its firmware releases.
package struct CatalogueFamily: Hashable, Sendable {
    package let device: DeviceModel
    /// What a device has to report to belong to the family.
    package let criteria: FamilyCriteria
    /// How the vendor updates it, if only the vendor can; nil if this program can.
    package let vendorWay: String?
    package let scheme: VersionScheme
    /// Where a device reports its installed version; nil if the catalogue does not state it.
    package let versionSource: VersionSource?
    /// The charge in percent below which no update is started; nil for the default limit.
    package let minimumBattery: Int?
    /// The settings for sending an update, if they differ from the default.
    package let settings: [FlashSetting]
    package let firmware: [CatalogueFirmware]
    package let place: CataloguePlace

    package var name: String { device.name }

    /// The release with the highest version; nil if none can be ordered. Withdrawn releases count.
    package var newest: CatalogueFirmware? {
        firmware.filter { scheme.version($0.version) != nil }.max(by: isLower)
    }

    /// Whether `one` is below `other`: by version, then by the time of the build. A release whose version the scheme
    /// cannot read is below all others.
    func isLower(_ one: CatalogueFirmware, _ other: CatalogueFirmware) -> Bool {
        guard let first = scheme.version(one.version) else { return true }
        guard let second = scheme.version(other.version) else { return false }
        return (first, one.timestamp ?? 0) < (second, other.timestamp ?? 0)
    }

    /// Whether `release` has the `version` that a user has named; equal versions may be written differently.
    package func isRelease(_ release: CatalogueFirmware, named version: String) -> Bool {
        if release.version == version { return true }
        guard let one = scheme.version(release.version), let other = scheme.version(version) else {
            return false
        }
        return one == other
    }
}

extension FirmwareKind {
    /// Firmware that only the vendor's own service or tool can install.
    package static let vendorOnly = FirmwareKind(rawValue: "vendor-only")
}

/// Where a device reports its installed version.
package enum VersionSource: String, CaseIterable, Sendable {
    case advertising
    /// Firmware Revision String of Device Information (2A26).
    case firmwareRevision = "firmware-revision"
    /// Software Revision String of Device Information (2A28).
    case softwareRevision = "software-revision"
    /// The vendor's own session.
    case session
}

/// A setting of an update, with its name in catalogues and its value.
package struct FlashSetting: Hashable, Sendable {
    package let name: String
    package let value: String
    package let place: CataloguePlace

    /// The valid names.
    package static var names: [String] {
        (["attempts"] + KnownVendors.options(in: .catalogue).map(\.key)).sorted()
    }
}

/// A position in a catalogue.
package struct CataloguePlace: Hashable, Sendable {
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int
}

extension CataloguePlace: CustomStringConvertible {
    package var description: String { "\(file): line \(line), column \(column)" }
}
