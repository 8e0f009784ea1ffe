import Bluetooth
import Glibc

/// Reads typed lines from stdin without blocking other tasks.
struct KeyboardLines {
    private var typed = TypedLines()
    private var isOver = false

    /// The next line; nil at the end. Throws when the task is cancelled.
    mutating func next() async throws -> String? {
        let loop = try EventLoop.shared.get()
        while true {
            if let line = typed.next() { return line }
            guard !isOver else { return typed.rest() }
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

/// Splits bytes into lines. A line longer than any code is truncated; the lines after it are read as usual.
struct TypedLines {
    /// Bytes kept of a line: several times the length of any code with its slot. A truncated line is refused,
    /// as the whole one would be.
    static let most = 1024
    private var lines: [[UInt8]] = []
    private var begun: [UInt8] = []

    /// Adds typed bytes.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(begun)
                begun = []
            } else if begun.count < Self.most {
                begun.append(byte)
            } else {
                // A code followed by spaces must not become valid by truncation.
                begun[Self.most - 1] = UInt8(ascii: "?")
            }
        }
    }

    /// Removes and returns the first complete line.
    mutating func next() -> String? {
        lines.isEmpty ? nil : String(decoding: lines.removeFirst(), as: UTF8.self)
    }

    /// Removes and returns the last line if it has no end; nil if there is none.
    mutating func rest() -> String? {
        defer { begun = [] }
        return begun.isEmpty ? nil : String(decoding: begun, as: UTF8.self)
    }
}
