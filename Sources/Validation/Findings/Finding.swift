public import ByteCoding

/// Something about a file that its release should wait for, or that is worth knowing.
public struct Finding: LevelledFinding, Hashable, Sendable {
    /// Where in the file it is; what is not known is nil.
    public struct Place: Hashable, Sendable {
        /// The entry of an archive.
        public var entry: String?
        /// Bytes from the start of the file to the field.
        public var offset: Int?
        /// The field, as the format's documentation has it.
        public var field: String?

        /// The file as a whole, unless one of these is given.
        public init(entry: String? = nil, offset: Int? = nil, field: String? = nil) {
            self.entry = entry
            self.offset = offset
            self.field = field
        }
    }

    /// The rule that is broken, by its stable id.
    public let id: String
    /// How bad it is, by the rule and the rules file.
    public let level: FindingLevel
    /// What the rule is about.
    public let category: Rule.Category
    /// Where it is.
    public let place: Place
    /// One line that says what was found; the field is its subject.
    public let message: String
    /// Whether it is the target's verdict, and not the file's own flaw.
    public internal(set) var isAboutTarget = false

    init(_ flaw: Flaw, _ level: FindingLevel) {
        id = flaw.id
        self.level = level
        category = Rule.named(flaw.id)?.category ?? .integrity
        place = flaw.place
        message = flaw.message
    }
}

extension Finding.Place: CustomStringConvertible {
    /// Entry, field and offset as people read them; empty for the file as a whole.
    public var description: String {
        let at = [field, offset.map { "at offset \($0)" }].compactMap(\.self).joined(separator: " ")
        return [entry, at.isEmpty ? nil : at].compactMap(\.self).joined(separator: ": ")
    }
}

extension Finding: CustomStringConvertible {
    /// One line for people: the place and what was found.
    public var description: String {
        let place = "\(place)"
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
