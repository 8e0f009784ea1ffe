/// A release of firmware for one family of beacons.
public struct CatalogueFirmware: Hashable, Sendable {
    /// The version, as its devices report it.
    public let version: String
    /// The version in the package, if it is different; nil if it is the same.
    public let packageVersion: String?
    /// The build time, in seconds since 1970 in UTC, if it distinguishes releases of one version.
    public let timestamp: UInt32?
    /// The package, relative to the folder of the catalogue's file; nil if only its version is known.
    public let file: String?
    /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
    public let sha256: String?
    /// The intended audience.
    public let channel: CatalogueChannel
    /// The models that take it, as patterns; empty for all of the family.
    public let models: [String]
    /// The hardware versions that take it; empty for all.
    public let hardware: [String]
    /// The ids of the units that take it; empty for all.
    public let devices: [String]
    /// The lowest version that may be updated to this one.
    public let minimumInstalled: String?
    /// The version that a device with a lower one has to install first.
    public let through: String?
    /// What is new, for people.
    public let notes: String?
    /// How soon it should be installed.
    public let urgency: Urgency?
    /// The public key for its signature, a file relative to the catalogue's folder.
    public let key: String?
    /// Why it must not be installed any more; nil if it may be.
    public let withdrawn: String?
    /// Its position in the catalogue.
    public let place: CataloguePlace

    /// The version as in the package: a number or a text, depending on the kind.
    public var versionInPackage: String { packageVersion ?? version }

    /// How soon a release should be installed.
    public enum Urgency: String, CaseIterable, Sendable {
        case low
        case medium
        case high
        case critical
    }
}

/// The intended audience of a release.
public enum CatalogueChannel: String, CaseIterable, Sendable {
    /// Everyone.
    case release
    /// Users who choose it.
    case beta
}
