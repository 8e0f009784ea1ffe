import Glibc
import PacketSockets

/// Lines of stdin as they are typed, without keeping anything else from its work meanwhile.
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
            // There is nothing to read then, and a read would wait for it.
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            typed.take(bytes[..<max(0, count)])
            isOver = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
        }
    }
}

/// Bytes cut into lines. Of one that is longer than any code only the beginning is kept, and never the end of a line lost: what follows
/// it is read as usual.
struct TypedLines {
    /// Several times as long as any code with its slot: a line that was cut is refused, as the whole one would be.
    static let most = 1024
    private var lines: [[UInt8]] = []
    private var begun: [UInt8] = []

    /// Takes what was typed next.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(begun)
                begun = []
            } else if begun.count < Self.most {
                begun.append(byte)
            } else {
                // Spaces before the cut must not make a code of it.
                begun[Self.most - 1] = UInt8(ascii: "?")
            }
        }
    }

    /// The first line that is whole, which is taken out.
    mutating func next() -> String? {
        lines.isEmpty ? nil : String(decoding: lines.removeFirst(), as: UTF8.self)
    }

    /// What is there of a line without an end; nil where there is nothing.
    mutating func rest() -> String? {
        defer { begun = [] }
        return begun.isEmpty ? nil : String(decoding: begun, as: UTF8.self)
    }
}
