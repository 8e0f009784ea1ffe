import Glibc

/// How much fits a terminal.
struct TerminalSize: Equatable, Sendable {
    var rows = 24
    var columns = 80

    /// That of stderr; the usual 24 by 80 where it is not known.
    static var current: TerminalSize {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return TerminalSize()
        }
        return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }
}
