/// A rule that files are checked by.
public struct Rule: Hashable, Sendable {
    /// What a rule is about.
    public enum Category: String, CaseIterable, Sendable {
        /// The file is whole, and agrees with itself.
        case integrity
        /// The file comes from the right maker.
        case authenticity
        /// The devices that the file is for can take it.
        case compatibility
        /// The release follows the house's conventions.
        case policy
        /// The file contains what it should, and nothing else.
        case hygiene
    }

    /// A stable name in kebab-case, as in `hash-mismatch`.
    public let id: String
    /// What it is about.
    public let category: Category
    /// How bad a breach is unless a rules file says otherwise.
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
