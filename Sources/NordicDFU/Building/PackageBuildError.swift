public import Archives
public import Digests

/// Why a package cannot be made.
public enum PackageBuildError: Error, Equatable, Sendable {
    /// There is no image.
    case nothingToPack
    /// A bootloader and an application without a SoftDevice: bootloaders take one system part, and after it an
    /// application; nrfutil does not make this either.
    case bootloaderWithApplication
    /// An image for another chip goes alone.
    case externalWithSystem
    /// A boot check by signature needs the key.
    case keyMissing
    /// The archive cannot be written.
    case archive(ArchiveError)
    /// The signature could not be made.
    case signature(SignatureError)
    /// The protobuf library could not encode a message; its words.
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
    /// One line for people, with the way out where there is one.
    public var description: String {
        switch self {
        case .nothingToPack: "no image was given"
        case .bootloaderWithApplication:
            "a bootloader and an application need two packages, the bootloader's first, unless a SoftDevice goes "
                + "with them"
        case .externalWithSystem: "an image for another chip is packed alone"
        case .keyMissing: "a boot check by signature needs the signing key"
        case .archive(let error): error.description
        case .signature(let error): error.description
        case .encoding(let words): "the init packet cannot be encoded: \(words)"
        }
    }
}
