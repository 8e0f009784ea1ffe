package import Bluetooth
import Glibc

/// Keys from a terminal.
package enum KeyInput {
    private static let pause = Duration.milliseconds(250)

    /// Passes keys typed at the terminal `descriptor` to `obey`, until that returns true or the task is
    /// cancelled. Does nothing unless `descriptor` is a terminal with this program in the foreground. Returns
    /// whether `obey` ended it.
    @discardableResult package static func take(
        from descriptor: Int32, on loop: EventLoop, until obey: @Sendable ([BoardKey]) async -> Bool
    ) async -> Bool {
        guard let mode = KeyMode(descriptor) else { return false }
        var isOver = false
        var reader = KeyReader()
        while !isOver, !Task.isCancelled {
            await loop.wait(for: .readable, of: descriptor)
            guard !Task.isCancelled else { break }
            // A background process that reads from its terminal is stopped.
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
