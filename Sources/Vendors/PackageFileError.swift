public import DialogSUOTA
public import FBeacon
public import NordicDFU

/// Why a file that is meant to be in one of the formats that are read cannot be read.
public enum PackageFileError: Error, Equatable, Sendable {
    /// A Nordic package, or any ZIP file.
    case nordic(PackageError)
    /// A Dialog SUOTA image.
    case suota(SUOTAImageError)
    /// A Feasycom file or an open container.
    case fbeacon(FBeaconFileError)

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch self {
        case .nordic(let error): error.code
        case .suota(let error): error.code
        case .fbeacon(let error): error.code
        }
    }
}

extension PackageFileError: CustomStringConvertible {
    /// One line for people: the place and what is wrong.
    public var description: String {
        switch self {
        case .nordic(let error): error.description
        case .suota(let error): error.description
        case .fbeacon(let error): error.description
        }
    }
}
