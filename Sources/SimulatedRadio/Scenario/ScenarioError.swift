import Glibc

/// Why what simulated beacons remember cannot be used.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What cannot be done with a file of theirs.
    public enum Kind: Sendable {
        /// It holds something else than a beacon's state.
        case damaged
        /// It, or its folder, cannot be made or opened.
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

    /// The file or folder that the call which has just failed was about.
    init(cannot what: String, _ path: String) {
        self.init(
            path: path, problem: "cannot be \(what): \(String(cString: strerror(errno)))", kind: .unusable)
    }

    /// One line for people.
    public var description: String { "\(path): \(problem)" }
}
