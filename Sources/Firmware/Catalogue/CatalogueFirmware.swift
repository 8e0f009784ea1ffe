import Bytes
import UpdateModel

/// A release of firmware for one family of beacons.
package struct CatalogueFirmware: Hashable, Sendable {
    package let version: String
    /// The version in the package; nil if it is the same as `version`.
    package let packageVersion: String?
    /// The build time, in seconds since 1970 in UTC; nil unless it distinguishes releases of one version.
    package let timestamp: UInt32?
    /// The package, relative to the folder of the catalogue's file; nil if only its version is known.
    package let file: String?
    /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
    package let sha256: String?
    package let channel: CatalogueChannel
    /// The models that take it, as patterns; empty for all models of the family.
    package let models: [String]
    /// The hardware versions that take it; empty for all.
    package let hardware: [String]
    /// The ids of the units that take it; empty for all.
    package let devices: [String]
    /// The lowest version that may be updated to this one; nil for any.
    package let minimumInstalled: String?
    /// The version that a device has to install first, if it has a lower one; nil for none.
    package let through: String?
    package let notes: String?
    package let urgency: Urgency?
    /// The public key for its signature, a file relative to the catalogue's folder.
    package let key: String?
    /// Why it must not be installed any more; nil if it may be.
    package let withdrawn: String?
    package let place: CataloguePlace

    var versionInPackage: String { packageVersion ?? version }

    /// How soon a release should be installed.
    package enum Urgency: String, CaseIterable, Sendable {
        case low
        case medium
        case high
        case critical
    }
}

/// The intended audience of a release.
package enum CatalogueChannel: String, CaseIterable, Sendable {
    case release
    case beta
}
