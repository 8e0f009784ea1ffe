import Bluetooth
import Bytes
import Glibc

/// Reads typed lines without blocking other tasks.
package struct TypedLines {
    /// The most bytes kept of a line: several times the length of any code with its slot, address or password. A
    /// truncated line is refused, as the whole one would be.
    static let longest = 1024

    private let descriptor: Int32
    private var typed = LineSplitter(limit: longest, excess: .cut)
    private var isOver = false

    package init(from descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// The next line, without a timeout; nil at the end. Throws when the task is cancelled.
    package mutating func next() async throws -> String? {
        let loop = try EventLoop.shared.get()
        while true {
            if let line = typed.next() { return String(decoding: line, as: UTF8.self) }
            guard !isOver else { return typed.rest().map { String(decoding: $0, as: UTF8.self) } }
            await loop.wait(for: .readable, of: descriptor)
            // After a cancellation there may be nothing to read, and a read would block.
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(descriptor, &bytes, bytes.count)
            typed.append(bytes[..<max(0, count)])
            isOver = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
        }
    }

    /// Whether the user can be asked: stdin and stderr are terminals, and there is no `--json`.
    package static func canAsk(json: Bool) -> Bool {
        !json && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// One line from `descriptor`; empty at the end.
    package static func line(from descriptor: Int32 = STDIN_FILENO) async throws -> String {
        var lines = TypedLines(from: descriptor)
        return try await lines.next() ?? ""
    }

    /// One line from stdin, not echoed.
    package static func hiddenLine() async throws -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try await line() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        return try await line()
    }
}
