/// Why a scenario cannot be played.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it.
    public let problem: String
    /// Whether the file could not be opened at all.
    public let isMissing: Bool

    init(path: String, problem: String, isMissing: Bool = false) {
        self.path = path
        self.problem = problem
        self.isMissing = isMissing
    }

    /// One line for people.
    public var description: String { "\(path): \(problem)" }
}
