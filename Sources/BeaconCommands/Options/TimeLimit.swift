import ArgumentParser
import Synchronization

/// How long a command may take (`--timeout`).
final class TimeLimit: Sendable {
    let seconds: Int
    private let hasEnded = Atomic(false)

    init(seconds: Int) { self.seconds = seconds }

    /// A day at most: what takes longer is not waited for.
    static func reading(_ argument: String) throws -> TimeLimit {
        guard let seconds = Int(argument), (1...86400).contains(seconds) else {
            throw ValidationError("'\(argument)' is not a number of seconds from 1 to 86400")
        }
        return TimeLimit(seconds: seconds)
    }

    /// Whether the command was ended because of it.
    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}
