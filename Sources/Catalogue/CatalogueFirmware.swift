/// A release of firmware for one family of beacons.
public struct CatalogueFirmware: Hashable, Sendable {
    /// The version, as its devices show it.
    public let version: String
    /// The version that the package has, where it is another one; nil where it is the same.
    public let packageVersion: String?
    /// The build time, in seconds since 1970 in UTC, where it tells releases of one version apart.
    public let timestamp: UInt32?
    /// The package, relative to the folder of the catalogue's file; nil where only its version is known.
    public let file: String?
    /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
    public let sha256: String?
    /// For whom it is.
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
    /// The public key that has signed it, a file relative to the catalogue's folder.
    public let key: String?
    /// Why it is not to be installed any more; nil where it may be.
    public let withdrawn: String?
    /// Where it is written.
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

/// For whom a release is.
public enum CatalogueChannel: String, CaseIterable, Sendable {
    /// For everybody.
    case release
    /// For those who ask for it.
    case beta
}
