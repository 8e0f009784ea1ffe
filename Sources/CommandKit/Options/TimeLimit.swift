import ArgumentParser
import Synchronization

/// The time limit of a command (`--timeout`).
package final class TimeLimit: Sendable {
    let seconds: Int
    private let hasEnded = Atomic(false)

    init(seconds: Int) { self.seconds = seconds }

    /// Parses 1 to 86400 seconds, a day.
    static func reading(_ argument: String) throws -> TimeLimit {
        guard let seconds = Int(argument), (1...86400).contains(seconds) else {
            throw ValidationError("'\(argument)' is not a number of seconds from 1 to 86400")
        }
        return TimeLimit(seconds: seconds)
    }

    /// Whether the limit has ended the command.
    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}
