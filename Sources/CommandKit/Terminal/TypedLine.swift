import Bluetooth
import Glibc

/// A line that the user types.
package enum TypedLine {
    /// Whether the user can be asked: stdin and stderr are terminals, and there is no `--json`.
    package static func isPossible(json: Bool) -> Bool {
        !json && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// The input up to Enter, or from `descriptor`; without a timeout.
    package static func read(from descriptor: Int32 = STDIN_FILENO) async throws -> String {
        let loop = try EventLoop.shared.get()
        var status = stat()
        // Regular files are always readable and cannot be polled.
        let waits = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        var typed: [UInt8] = []
        while !typed.contains(UInt8(ascii: "\n")), typed.count < 256 {
            if waits { await loop.wait(for: .readable, of: descriptor) }
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            typed += bytes.prefix(count)
        }
        return String(decoding: typed, as: UTF8.self)
    }

    /// The input up to Enter, not echoed.
    package static func readHidden() async throws -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try await read() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        return try await read()
    }
}
