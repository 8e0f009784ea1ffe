public import ByteCoding

/// Something about a readable package that a bootloader or a person will mind.
public struct PackageFinding: LevelledFinding, Equatable, Sendable {
    /// A stable name in kebab-case, as in `hash-mismatch`.
    public let id: String
    /// How bad it is.
    public let level: FindingLevel
    /// The part that it is about.
    public let role: FirmwareRole
    /// The entry of the archive.
    public let entry: String
    /// The field, as in `InitCommand.hash`; nil when the entry as a whole is meant.
    public let field: String?
    /// One line that says what was found.
    public let message: String
}

extension PackageFinding: CustomStringConvertible {
    /// One line for people: the entry, the field and what was found.
    public var description: String { "\(entry): \(field.map { "\($0): " } ?? "")\(message)" }
}
