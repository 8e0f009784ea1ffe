/// Why a file of a known format cannot be read.
public struct FirmwareFileError: Error, Equatable, Sendable {
    /// The error and its place.
    public let finding: Finding
    /// One line for people: the place and the error.
    public let description: String

    /// The error for a file that is refused with `code`.
    public init(
        _ code: String, at place: Finding.Place = Finding.Place(), cause: String? = nil, _ words: String
    ) {
        finding = Finding(code, .error, place, cause ?? words)
        description = words
    }

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String { finding.id }
}

extension FirmwareFileError: CustomStringConvertible {}
