/// A rule for checking files.
public struct Rule: Hashable, Sendable {
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

    public let code: FailureCode
    public let category: Category
    /// The severity of a breach unless a rules file changes it.
    public let level: FindingLevel
    /// The failure in the field that it prevents, as one sentence.
    public let prevents: String

    public var id: String { code.rawValue }

    init(_ code: FailureCode, _ category: Category, _ level: FindingLevel, _ prevents: String) {
        (self.code, self.category, self.level, self.prevents) = (code, category, level, prevents)
    }
}
