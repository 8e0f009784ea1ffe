import Glibc
import Synchronization

/// Draws and removes the status lines at the bottom of a terminal.
struct StatusScreen {
    /// Counts how often the program was continued after a stop (Ctrl-Z, `fg`).
    private static let continuations = Atomic<Int>(0)

    private let terminal: Int32
    private var lines: [TerminalText] = []
    private var continuation = 0

    init(_ terminal: Int32) { self.terminal = terminal }

    /// Redraws the lines below the shell's output whenever the program is continued after a stop.
    static func followStops() {
        signal(SIGCONT) { _ in
            StatusScreen.continuations.add(1, ordering: .relaxed)
            KeyMode.resume()
        }
    }

    func isShowing(_ wanted: [TerminalText]) -> Bool {
        wanted == lines && (lines.isEmpty || continuation == Self.continuations.load(ordering: .relaxed))
    }

    /// The bytes that remove the lines. The cursor is after the last of them.
    var removal: [UInt8] {
        guard !lines.isEmpty, continuation == Self.continuations.load(ordering: .relaxed) else { return [] }
        // A terminal that was made narrower has usually wrapped them.
        let columns = TerminalSize.of(terminal).columns
        let rows = lines.reduce(0) { $0 + max(1, ($1.width + columns - 1) / columns) }
        return Array(((rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J").utf8)
    }

    /// The bytes that show `wanted` when no lines are shown, each cut to one row.
    mutating func drawing(of wanted: [TerminalText]) -> [UInt8] {
        continuation = Self.continuations.load(ordering: .relaxed)
        lines = wanted
        let columns = TerminalSize.of(terminal).columns
        // The last cell stays free: some terminals break the line there.
        return Array(wanted.map { $0.clipped(to: columns - 1).rendered }.joined(separator: "\n").utf8)
    }
}

package struct TerminalSize: Equatable, Sendable {
    package var rows = 24
    package var columns = 80

    /// The size of the terminal at stderr.
    package static var current: TerminalSize { of(STDERR_FILENO) }

    /// The size of the terminal at `descriptor`; 24 by 80 if unknown.
    package static func of(_ descriptor: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return TerminalSize()
        }
        return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }
}
