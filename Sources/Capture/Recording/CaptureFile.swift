import Glibc
import Synchronization

/// A btsnoop file that grows while links talk.
///
/// Each packet is one `write` of whole records, so that a killed program leaves a readable file, and nothing
/// is kept in memory. A disk that is full ends the recording, not what is recorded.
public final class CaptureFile: Sendable {
    private struct State: Sendable {
        var length = 0
        var isOver = false
        var nextHandle: UInt16 = 1
    }

    /// The largest connection handle (Vol 4, Part E, 5.3.1).
    private static let lastHandle: UInt16 = 0x0EFF

    private let path: String
    private let descriptor: Int32
    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64
    private let onLoss: @Sendable (CaptureError) -> Void

    /// Begins a recording at `path`, over whatever is there.
    ///
    /// `now` gives the microseconds since 1970; `onLoss` hears, once, why recording has ended early.
    public init(
        creating path: String, now: @escaping @Sendable () -> UInt64 = CaptureFile.wallClock,
        onLoss: @escaping @Sendable (CaptureError) -> Void
    ) throws(CaptureError) {
        self.path = path
        self.now = now
        self.onLoss = onLoss
        // A pipe that nobody reads must not stop the radio; a file does not care for O_NONBLOCK.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw CaptureError(path: path, call: "open", errno: errno) }
        if let failure = state.withLock({ write(BTSnoopFile.header, &$0) }) { throw failure }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// The time of day.
    public static let wallClock: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec / 1000)
    }

    /// A handle that no other link of this recording has, for the first 3839 links.
    func takeHandle() -> UInt16 {
        state.withLock { state in
            defer { state.nextHandle = state.nextHandle == Self.lastHandle ? 1 : state.nextHandle + 1 }
            return state.nextHandle
        }
    }

    /// Adds the packets, all at this moment.
    func add(_ packets: [HCIPacket], _ direction: Direction) {
        let failure = state.withLock { state -> CaptureError? in
            guard !state.isOver else { return nil }
            let moment = now()
            let bytes = packets.flatMap { BTSnoopRecord($0, direction, microseconds: moment).bytes }
            return write(bytes, &state)
        }
        if let failure { onLoss(failure) }
    }

    /// Writes all of `bytes` or, as far as the file lets us, nothing.
    private func write(_ bytes: [UInt8], _ state: inout State) -> CaptureError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = CaptureError(path: path, call: "write", errno: count < 0 ? errno : ENOSPC)
                state.isOver = true
                _ = ftruncate(descriptor, off_t(state.length))
                return failure
            }
            rest = rest.dropFirst(count)
        }
        state.length += bytes.count
        return nil
    }
}
