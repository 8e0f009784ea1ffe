package import Bytes
package import UpdateModel

/// A family of beacons: how it is recognised, how it is updated, and its firmware releases.
package struct CatalogueModel: Hashable, Sendable {
    package let device: DeviceModel
    /// What a device has to report to belong to the family.
    package let recognition: Recognition
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
        let ordered = firmware.compactMap { release in scheme.version(release.version).map { ($0, release) } }
        return ordered.max {
            ($0.0, $0.1.timestamp ?? 0) < ($1.0, $1.1.timestamp ?? 0)
        }?.1
    }
}

extension CatalogueModel {
    /// Whether `release` has the version that a user has `named`; equal versions may be written differently.
    package func isRelease(_ release: CatalogueFirmware, _ named: String) -> Bool {
        if release.version == named { return true }
        guard let one = scheme.version(release.version), let other = scheme.version(named) else {
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

extension Array where Element: Hashable {
    /// The elements without duplicates, in the order of first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The available firmware for beacons: the content of a folder of YAML files (docs/formats/catalogue.md).
package struct Catalogue: Sendable {
    /// All models, in the order of the files and in each file's order.
    package let models: [CatalogueModel]

    package init(files: [(name: String, text: [UInt8])]) throws(CatalogueError) {
        let (catalogue, errors) = Self.reading(files)
        if let error = errors.first { throw error }
        self = catalogue
    }

    private init(models: [CatalogueModel]) { self.models = models }

    /// Parses the files as far as possible; returns the error for each file that cannot be parsed.
    package static func reading(_ files: [(name: String, text: [UInt8])]) -> (Catalogue, [CatalogueError]) {
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

    /// The models of this name, ignoring case; several if a model takes packages of several kinds.
    package func models(named name: String) -> [CatalogueModel] {
        models.filter { $0.name.lowercased() == name.lowercased() }
    }
}

package struct CatalogueError: Error, Hashable, Sendable {
    package let file: String
    package let problem: YAMLProblem
}

extension CatalogueError: CustomStringConvertible {
    package var description: String { "\(file): \(problem)" }
}

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
