public import Bluetooth

/// A clock that advances only while every task is idle.
///
/// One thread runs every task of a simulation, waits for the kernel's sockets between them, and, if no task can run and
/// no socket is ready, advances the clock to the next deadline. Since both ends of every socket are in the simulation,
/// this is exact: the order of events, timeouts included, is the same in every run, and an hour takes milliseconds. The
/// thread is the program's own event loop, so what tests show about waiting and waking holds for the program.
public final class VirtualTime: TaskExecutor, DescriptorReadiness {
    private let loop: EventLoop

    private init() throws(SocketError) { loop = try EventLoop(.virtual) }

    /// Runs `body`, and every child task it makes, in virtual time.
    public static func run<Value: Sendable>(
        _ body: @Sendable (VirtualTime) async throws -> Value
    ) async throws -> Value {
        let time = try VirtualTime()
        defer { time.loop.stop() }
        return try await withTaskExecutorPreference(time.loop) {
            // The preference applies from the next suspension on. Without one, `body` would begin on the caller's
            // thread, where this clock cannot tell that a task is busy.
            await Task.yield()
            return try await body(time)
        }
    }

    public var clock: Timekeeper { loop.clock }

    /// Virtual time since the start.
    public var now: Duration { loop.now }

    public func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }

    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await loop.wait(for: readiness, of: descriptor)
    }
}
