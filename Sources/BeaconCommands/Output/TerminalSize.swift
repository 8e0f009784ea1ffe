import Glibc

/// How much fits a terminal.
struct TerminalSize: Equatable, Sendable {
    var rows = 24
    var columns = 80

    /// That of stderr.
    static var current: TerminalSize { of(STDERR_FILENO) }

    /// That of the terminal at `descriptor`; the usual 24 by 80 where it is not known.
    static func of(_ descriptor: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return TerminalSize()
        }
        return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }
}
