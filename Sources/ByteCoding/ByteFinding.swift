/// Something about a readable file that a device or a person will mind, and where it stands.
public struct ByteFinding: LevelledFinding, Hashable, Sendable {
    /// A stable name in kebab-case, as in `image-crc-mismatch`.
    public let id: String
    /// How bad it is.
    public let level: FindingLevel
    /// Bytes from the start of the file to the field.
    public let offset: Int
    /// The field's name, as the format's documentation has it.
    public let field: String
    /// One line that says what was found; the field is its subject.
    public let message: String

    /// A finding in `field`, which starts at `offset`.
    public init(_ id: String, _ level: FindingLevel, offset: Int, field: String, _ message: String) {
        self.id = id
        self.level = level
        self.offset = offset
        self.field = field
        self.message = message
    }
}

extension ByteFinding: CustomStringConvertible {
    /// One line for people: the field, its offset and what was found.
    public var description: String { "\(field) at offset \(offset): \(message)" }
}
