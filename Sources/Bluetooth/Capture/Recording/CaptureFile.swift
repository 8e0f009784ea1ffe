import Bytes
import Glibc
import Synchronization

/// A btsnoop file that grows while links are in use.
///
/// Each packet is one `write` of whole records, so that a killed program leaves a readable file, and nothing is
/// kept in memory. A full disk ends the recording, not the recorded links.
package final class CaptureFile: Sendable {
    private struct State: Sendable {
        var isBegun = false
        var length = 0
        var isOver = false
        var nextHandle: UInt16 = 1
    }

    /// The largest connection handle (Vol 4, Part E, 5.3.1).
    private static let lastHandle: UInt16 = 0x0EFF

    private let path: String
    private let descriptor: Int32
    private let isNew: Bool
    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64
    private let onLoss: @Sendable (CaptureError) -> Void

    /// Takes over `descriptor`, which is open for writing at the start of the file at `path`. Existing content
    /// stays until the first packet; a file that `isNew` and is never begun is removed.
    ///
    /// `now` returns the microseconds since 1970; `onLoss` is called once if recording ends early.
    package init(
        path: String, descriptor: Int32, isNew: Bool = false,
        now: @escaping @Sendable () -> UInt64 = CaptureFile.wallClock,
        onLoss: @escaping @Sendable (CaptureError) -> Void
    ) {
        (self.path, self.descriptor, self.isNew) = (path, descriptor, isNew)
        (self.now, self.onLoss) = (now, onLoss)
    }

    deinit {
        if isNew, state.withLock({ !$0.isBegun }) { unlink(path.systemPath) }
        _ = close(descriptor)
    }

    /// Announces that there will be something to record, so that a new file gets its header at once.
    package func begin() throws(CaptureError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw CaptureError(path: path, call: "fstat", errno: errno)
        }
        guard status.st_size == 0 else { return }
        if let failure = state.withLock({ write([], &$0) }) { throw failure }
    }

    /// The wall clock, in microseconds since 1970.
    static let wallClock: @Sendable () -> UInt64 = {
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

    func add(_ packets: [HCIPacket], _ direction: Direction) {
        let failure = state.withLock { state -> CaptureError? in
            guard !state.isOver else { return nil }
            let moment = now()
            let bytes = packets.flatMap { BTSnoopRecord($0, direction, microseconds: moment).bytes }
            return write(bytes, &state)
        }
        if let failure { onLoss(failure) }
    }

    /// Writes all of `records`, or nothing if the file can be truncated; the first write replaces existing content.
    private func write(_ records: [UInt8], _ state: inout State) -> CaptureError? {
        var bytes = records
        if !state.isBegun {
            state.isBegun = true
            bytes = BTSnoopFile.header + records
            // Fails if the file is a pipe, which has no length.
            _ = ftruncate(descriptor, 0)
        }
        do throws(FileProblem) { try FileBytes.write(bytes, to: descriptor) } catch {
            state.isOver = true
            _ = ftruncate(descriptor, off_t(state.length))
            return CaptureError(path: path, call: "write", errno: error.number)
        }
        state.length += bytes.count
        return nil
    }
}

package struct CaptureError: Error, Equatable, Sendable {
    package let path: String
    package let call: String
    package let errno: Int32
}
