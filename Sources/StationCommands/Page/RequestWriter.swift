import BenchPage
import Bytes
import CommandKit
import Glibc
import Tray
import UpdateModel

/// The page's channel to its run, on the descriptor that `batch --view` has opened for it: lines of JSON with the
/// address of the page, or why it cannot be served, and then the requests of users.
struct RequestWriter: Sendable {
    /// The descriptor after the three standard ones.
    private static let descriptor: Int32 = 3

    /// Makes writing non-blocking: a run that does not read must not block the page.
    init() { _ = fcntl(Self.descriptor, F_SETFL, O_NONBLOCK) }

    func send(_ line: JSONLine) { _ = put(line) }

    func write(_ action: BenchAction, _ user: PageUser) throws(PageRefusal) {
        let line = JSONLine("wish").adding([
            "wish": .text(action.kind.rawValue), "slot": action.slot.map { .text($0) } ?? .null,
            "text": action.text.map { .text($0) } ?? .null, "by": .text(user.recordedName),
        ])
        switch put(line) {
        case nil: return
        case EAGAIN:
            throw PageRefusal(503, .page.runBusy, "the run is too busy to accept requests", next: "try again")
        default:
            throw PageRefusal(
                503, .page.runOver, "the run no longer accepts requests", next: "check whether it has ended")
        }
    }

    /// Writes a line; returns the error number, nil for none. A line is shorter than the atomic write size of a pipe
    /// (pipe(7)): it is written as a whole or not at all.
    private func put(_ line: JSONLine) -> Int32? {
        let bytes = Array((line.text + "\n").utf8)
        return Glibc.write(Self.descriptor, bytes, bytes.count) == bytes.count ? nil : errno
    }
}
