import Glibc

/// The size of a terminal in cells.
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
