import BeaconCommands
import BenchPage
import Glibc
import Synchronization

/// Writes what people want of a run to the run, a line of JSON each, on the descriptor that `batch --view` has opened for it.
final class WishWriter: Sendable {
    /// The descriptor after the three standard ones.
    static let descriptor: Int32 = 3

    func write(_ action: BenchAction, _ user: PageUser) throws(PageRefusal) {
        let line =
            JSONLine(
                "wish",
                [
                    "wish": .text(action.kind.rawValue), "slot": action.slot.map { .text($0) } ?? .null,
                    "by": user.name.map { .text($0) } ?? .null,
                ]
            ).text + "\n"
        let bytes = Array(line.utf8)
        // A line is shorter than a pipe takes at once (pipe(7)): it is there as a whole or not at all.
        guard Glibc.write(Self.descriptor, bytes, bytes.count) == bytes.count else {
            throw PageRefusal(
                503, "run-over", "the run does not take wishes any more", next: "see whether it has ended")
        }
    }
}
