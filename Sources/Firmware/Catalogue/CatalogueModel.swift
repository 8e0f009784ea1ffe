public import Bytes
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
    public static var names: [String] {
        (["attempts"] + KnownVendors.options(in: .catalogue).map(\.key)).sorted()
    }
}

/// A position in a catalogue.
public struct CataloguePlace: Hashable, Sendable {
    /// The file's name, as given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
}

extension CataloguePlace: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(file): line \(line), column \(column)" }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in the order of first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The available firmware for beacons: the content of a folder of YAML files (docs/formats/catalogue.md).
public struct Catalogue: Sendable {
    /// All models, in the order of the files and in each file's order.
    public let models: [CatalogueModel]

    /// Parses the files, each with its name for messages.
    public init(files: [(name: String, text: [UInt8])]) throws(CatalogueError) {
        let (catalogue, errors) = Self.reading(files)
        if let error = errors.first { throw error }
        self = catalogue
    }

    private init(models: [CatalogueModel]) { self.models = models }

    /// Parses the files as far as possible; returns the error for each file that cannot be parsed.
    public static func reading(
        _ files: [(name: String, text: [UInt8])]
    ) -> (Catalogue, [CatalogueError]) {
        var models: [CatalogueModel] = []
        var errors: [CatalogueError] = []
        var seen: Set<[String]> = []
        for file in files {
            do throws(YAMLProblem) {
                for model in try CatalogueFile(parsing: file.text, named: file.name).models {
                    guard seen.insert([model.name, model.device.kind.rawValue]).inserted else {
                        throw YAMLProblem("model '\(model.name)' is also in another file")
                    }
                    models.append(model)
                }
            } catch { errors.append(CatalogueError(file: file.name, problem: error)) }
        }
        return (Catalogue(models: models), errors)
    }

    /// The models of this name; several if a model takes packages of several kinds.
    public func models(named name: String) -> [CatalogueModel] {
        models.filter { $0.name.lowercased() == name.lowercased() }
    }
}

/// Why a catalogue cannot be read.
public struct CatalogueError: Error, Hashable, Sendable {
    /// The name of the file.
    public let file: String
    /// The error, with its position.
    public let problem: YAMLProblem
}

extension CatalogueError: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(file): \(problem)" }
}

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
