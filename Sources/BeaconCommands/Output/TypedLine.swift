import Glibc
import PacketSockets

/// What somebody types when asked.
enum TypedLine {
    /// Whether somebody can be asked.
    static func isPossible(json: Bool) -> Bool {
        !json && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// What is typed until Enter; nobody is hurried.
    static func read() async throws -> String {
        let loop = try EventLoop.shared.get()
        var typed: [UInt8] = []
        while !typed.contains(UInt8(ascii: "\n")), typed.count < 256 {
            await loop.wait(for: .readable, of: STDIN_FILENO)
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { break }
            typed += bytes.prefix(count)
        }
        return String(decoding: typed, as: UTF8.self)
    }
}
