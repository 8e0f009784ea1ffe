import Glibc
import PacketSockets

/// Keys from a terminal.
enum KeyInput {
    private static let pause = Duration.milliseconds(250)

    /// Hands what is typed at the terminal `descriptor` to `obey`, until that returns true or the task is cancelled; nothing where
    /// that is no terminal in front of which the program is. Returns whether `obey` has ended it.
    @discardableResult static func take(
        from descriptor: Int32, on loop: EventLoop, until obey: @Sendable ([BoardKey]) async -> Bool
    ) async -> Bool {
        guard let mode = KeyMode(descriptor) else { return false }
        var isOver = false
        var reader = KeyReader()
        while !isOver, !Task.isCancelled {
            await loop.wait(for: .readable, of: descriptor)
            guard !Task.isCancelled else { break }
            // Who reads from behind another program is stopped.
            guard KeyMode.isInFront(of: descriptor) else {
                try? await loop.sleep(until: loop.now + pause)
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 || errno == EINTR || errno == EAGAIN else { break }
            if count > 0 { isOver = await obey(reader.keys(Array(bytes.prefix(count)))) }
        }
        _ = consume mode
        return isOver
    }
}
