import Glibc
import Synchronization

/// The lines at the bottom of a terminal that are redrawn.
struct StatusScreen {
    /// How often the program was continued after a stop (Ctrl-Z, `fg`).
    private static let continuations = Atomic<Int>(0)

    private let terminal: Int32
    private var lines: [TerminalText] = []
    private var continuation = 0

    /// The lines of the terminal at the descriptor `terminal`.
    init(_ terminal: Int32) { self.terminal = terminal }

    /// Makes the lines be redrawn below what the shell has printed whenever the program is continued after a stop.
    static func followStops() {
        signal(SIGCONT) { _ in
            StatusScreen.continuations.add(1, ordering: .relaxed)
            KeyMode.resume()
        }
    }

    /// Whether `wanted` is what the terminal shows.
    func isBlinking(_ wanted: [TerminalText]) -> Bool {
        wanted == lines && (lines.isEmpty || continuation == Self.continuations.load(ordering: .relaxed))
    }

    /// What takes the lines away. The cursor is after the last of them.
    var removal: [UInt8] {
        guard !lines.isEmpty, continuation == Self.continuations.load(ordering: .relaxed) else { return [] }
        // A terminal that has become narrower has usually wrapped them.
        let columns = TerminalSize.of(terminal).columns
        let rows = lines.reduce(0) { $0 + max(1, ($1.width + columns - 1) / columns) }
        return Array(((rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J").utf8)
    }

    /// What shows `wanted` where nothing is shown, none of them longer than a row.
    mutating func drawing(of wanted: [TerminalText]) -> [UInt8] {
        continuation = Self.continuations.load(ordering: .relaxed)
        lines = wanted
        let columns = TerminalSize.of(terminal).columns
        // The last cell stays free: some terminals break the line there.
        return Array(wanted.map { $0.clipped(to: columns - 1).rendered }.joined(separator: "\n").utf8)
    }
}
