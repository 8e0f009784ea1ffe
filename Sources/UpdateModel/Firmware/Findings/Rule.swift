/// A rule for checking files.
public struct Rule: Hashable, Sendable {
    /// The subject of a rule.
    public enum Category: String, CaseIterable, Sendable {
        /// The file is complete and consistent.
        case integrity
        /// The file comes from the right maker.
        case authenticity
        /// The devices that the file is for can take it.
        case compatibility
        /// The release follows the organisation's conventions.
        case policy
        /// The file contains what it should, and nothing else.
        case hygiene
    }

    /// A stable name in kebab-case, for example `hash-mismatch`.
    public let id: String
    /// Its subject.
    public let category: Category
    /// The severity of a breach unless a rules file changes it.
    public let level: FindingLevel
    /// The failure in the field that it prevents, as one sentence.
    public let prevents: String

    /// A rule; `prevents` is one sentence.
    public init(_ id: String, _ category: Category, _ level: FindingLevel, _ prevents: String) {
        self.id = id
        self.category = category
        self.level = level
        self.prevents = prevents
    }
}
