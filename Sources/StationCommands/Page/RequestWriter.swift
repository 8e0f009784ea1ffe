import BeaconCommands
import BenchPage
import Glibc

/// The page's end of what it says to its run, a line of JSON each, on the descriptor that `batch --view` has opened for it: where the page
/// is opened, or why it is not, and then what people want.
struct RequestWriter: Sendable {
    /// The descriptor after the three standard ones.
    private static let descriptor: Int32 = 3

    /// A run that does not read holds the page up as little as the page holds up the run.
    init() { _ = fcntl(Self.descriptor, F_SETFL, O_NONBLOCK) }

    /// Says where the page is opened, or why it is not.
    func tell(_ line: JSONLine) { _ = put(line) }

    /// Says what `user` wants.
    func write(_ action: BenchAction, _ user: PageUser) throws(PageRefusal) {
        let line = JSONLine(
            "wish",
            [
                "wish": .text(action.kind.rawValue), "slot": action.slot.map { .text($0) } ?? .null,
                "by": .text(user.words),
            ])
        switch put(line) {
        case nil: return
        case EAGAIN:
            throw PageRefusal(503, "run-busy", "the run does not take wishes just now", next: "try again")
        default:
            throw PageRefusal(
                503, "run-over", "the run does not take wishes any more", next: "see whether it has ended")
        }
    }

    /// The error of it; nil for none. A line is shorter than a pipe takes at once (pipe(7)): it is there as a whole or not at all.
    private func put(_ line: JSONLine) -> Int32? {
        let bytes = Array((line.text + "\n").utf8)
        return Glibc.write(Self.descriptor, bytes, bytes.count) == bytes.count ? nil : errno
    }
}
