import Glibc

@testable import Bluetooth

extension CaptureFile {
    /// A started recording at `path`, which replaces an existing file.
    convenience init(
        creating path: String, now: @escaping @Sendable () -> UInt64 = CaptureFile.wallClock,
        onLoss: @escaping @Sendable (CaptureError) -> Void
    ) throws(CaptureError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
        self.init(path: path, descriptor: descriptor, now: now, onLoss: onLoss)
        try begin()
    }
}
