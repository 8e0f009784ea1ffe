import Glibc

/// Why the stored state of a simulated beacon cannot be used.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable {
        /// The file does not hold a beacon's state.
        case damaged
        /// The file, or its folder, cannot be created or opened.
        case unusable
    }

    /// The file or folder.
    public let path: String
    /// What is wrong with it.
    public let problem: String
    /// What cannot be done with it.
    public let kind: Kind

    init(path: String, problem: String, kind: Kind = .damaged) {
        self.path = path
        self.problem = problem
        self.kind = kind
    }

    /// An error of the system call that has just failed for this file or folder.
    init(cannot what: String, _ path: String) {
        self.init(
            path: path, problem: "cannot be \(what): \(String(cString: strerror(errno)))", kind: .unusable)
    }

    /// One line for people.
    public var description: String { "\(path): \(problem)" }
}
