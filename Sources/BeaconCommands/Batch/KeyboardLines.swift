import Glibc
import PacketSockets

/// Lines of stdin as they are typed, without keeping anything else from its work meanwhile.
struct KeyboardLines {
    /// A line that is longer is no code.
    private static let most = 1024
    private var rest: [UInt8] = []
    private var isOver = false

    /// The next line; nil at the end.
    mutating func next() async -> String? {
        guard let loop = try? EventLoop.shared.get() else { return nil }
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            guard !isOver, !Task.isCancelled else {
                defer { rest = [] }
                return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
            }
            await loop.wait(for: .readable, of: STDIN_FILENO)
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0, rest.count < Self.most { rest += bytes[..<count] }
            isOver = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
        }
    }
}
