import BeaconCommands
import BenchPage
import Glibc

/// The page's channel to its run, one line of JSON each, on the descriptor that `batch --view` has opened for it: the
/// address of the page, or why it cannot be served, and then the requests of users.
struct RequestWriter: Sendable {
    /// The descriptor after the three standard ones.
    private static let descriptor: Int32 = 3

    /// A run that does not read must not block the page.
    init() { _ = fcntl(Self.descriptor, F_SETFL, O_NONBLOCK) }

    /// Reports the address of the page, or why it cannot be served.
    func tell(_ line: JSONLine) { _ = put(line) }

    /// Sends a request of `user`.
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
            throw PageRefusal(503, "run-busy", "the run is too busy to accept requests", next: "try again")
        default:
            throw PageRefusal(
                503, "run-over", "the run no longer accepts requests", next: "check whether it has ended")
        }
    }

    /// Writes a line; returns the error number, nil for none. A line is shorter than the atomic write size of a pipe
    /// (pipe(7)): it is written as a whole or not at all.
    private func put(_ line: JSONLine) -> Int32? {
        let bytes = Array((line.text + "\n").utf8)
        return Glibc.write(Self.descriptor, bytes, bytes.count) == bytes.count ? nil : errno
    }
}
