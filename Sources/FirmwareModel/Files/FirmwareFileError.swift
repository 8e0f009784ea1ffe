/// Why a file that is meant to be in a known format cannot be read.
public struct FirmwareFileError: Error, Equatable, Sendable {
    /// What is wrong, and where.
    public let finding: Finding
    /// One line for people: the place and what is wrong.
    public let description: String

    /// A file that is refused with `code`.
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
