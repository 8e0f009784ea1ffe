import Bluetooth
import Bytes
import Glibc

/// Reads typed lines from stdin without blocking other tasks.
struct KeyboardLines {
    /// Bytes kept of a line: several times the length of any code with its slot. A truncated line is refused, as the
    /// whole one would be.
    static let most = 1024
    private var typed = LineSplitter(limit: most, excess: .cut)
    private var isOver = false

    /// The next line; nil at the end. Throws when the task is cancelled.
    mutating func next() async throws -> String? {
        let loop = try EventLoop.shared.get()
        while true {
            if let line = typed.next() { return String(decoding: line, as: UTF8.self) }
            guard !isOver else { return typed.rest().map { String(decoding: $0, as: UTF8.self) } }
            await loop.wait(for: .readable, of: STDIN_FILENO)
            // After a cancellation there may be nothing to read, and a read would block.
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            typed.take(bytes[..<max(0, count)])
            isOver = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
        }
    }
}
