public import Bytes

/// Why a package cannot be made.
public enum PackageBuildError: Error, Equatable, Sendable {
    /// There is no image.
    case nothingToPack
    /// A bootloader and an application without a SoftDevice. Bootloaders take one system part and then an
    /// application; nrfutil refuses this too.
    case bootloaderWithApplication
    /// An image for an external chip cannot be combined with a system part.
    case externalWithSystem
    /// A boot check by signature needs a signing key.
    case keyMissing
    /// The archive cannot be written.
    case archive(ArchiveError)
    /// The signature could not be made.
    case signature(SignatureError)
    /// The protobuf library could not encode a message; its error text.
    case encoding(String)

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch self {
        case .archive(let error): error.code
        case .signature, .encoding: "internal-error"
        default: "build-refused"
        }
    }

    static func signing<T>(_ body: () throws(SignatureError) -> T) throws(PackageBuildError) -> T {
        do throws(SignatureError) { return try body() } catch { throw .signature(error) }
    }
}

extension PackageBuildError: CustomStringConvertible {
    /// One line for people, with a suggested fix if there is one.
    public var description: String {
        switch self {
        case .nothingToPack: "no image was given"
        case .bootloaderWithApplication:
            "a bootloader and an application need two packages, the bootloader's first, unless the package "
                + "includes a SoftDevice"
        case .externalWithSystem: "an image for an external chip needs a package of its own"
        case .keyMissing: "a boot check by signature needs the signing key"
        case .archive(let error): error.description
        case .signature(let error): error.description
        case .encoding(let words): "the init packet cannot be encoded: \(words)"
        }
    }
}
