import CLinux
import Glibc
public import PacketSockets
import Synchronization
public import Timing

/// Time that passes only when nobody has anything left to do.
///
/// One thread runs every task of a simulation, waits for the kernel's sockets between them, and, when no
/// task can run and no socket is ready, moves the clock to the next deadline. Since both ends of every
/// socket live in the simulation, "nobody has anything to do" is exact: the order of events, timeouts
/// included, is the same in every run, and an hour takes milliseconds.
public final class VirtualTime: TaskExecutor, DescriptorReadiness {
    struct Timer {
        let moment: Duration
        let order: UInt64
        let wake: @Sendable () -> Void
    }

    struct State {
        var now = Duration.zero
        var jobs: [UnownedJob] = []
        var timers: [UInt64: Timer] = [:]
        var nextOrder: UInt64 = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let room: WaitingRoom
    private let doorbell: Int32

    private init() throws(SocketError) {
        doorbell = eventfd(0, eventfd_flags)
        guard doorbell >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
        room = try WaitingRoom(interrupter: doorbell)
    }

    deinit { _ = Glibc.close(doorbell) }

    /// Runs `body`, and every child task it makes, in virtual time.
    public static func run<Value: Sendable>(
        _ body: @Sendable (VirtualTime) async throws -> Value
    ) async throws -> Value {
        let time = try VirtualTime()
        try time.startThread()
        defer { time.stop() }
        return try await withTaskExecutorPreference(time) {
            // The preference counts from the next suspension on. Without one, `body` would begin on the
            // caller's thread, where time does not see that somebody has something to do.
            await Task.yield()
            return try await body(time)
        }
    }

    /// The keeper of this time.
    public var keeper: Timekeeper { Timekeeper(VirtualClock(time: self)) }

    /// Virtual time since the start.
    public var now: Duration { state.withLock { $0.now } }

    /// Queues a job for the simulation's thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        ringFromOutside()
    }

    private let thread = Mutex<pthread_t?>(nil)

    /// Wakes the simulation's thread, unless the caller is on it: there it looks before it waits.
    private func ringFromOutside() {
        if pthread_equal(thread.withLock { $0 } ?? pthread_t(), pthread_self()) == 0 { ring() }
    }

    private func ring() { _ = eventfd_write(doorbell, 1) }

    private func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    private func startThread() throws(SocketError) {
        try DetachedThread.start { [self] in
            thread.withLock { $0 = pthread_self() }
            loop()
        }
    }

    private func loop() {
        let executor = asUnownedTaskExecutor()
        while true {
            let (jobs, isStopped) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isStopped)
            }
            for job in jobs { job.runSynchronously(on: executor) }
            if !jobs.isEmpty { continue }
            if isStopped { return }
            if wakeReady(waiting: 0) || fireNextTimer() { continue }
            // Nothing can happen by itself: whatever comes next comes from outside.
            _ = wakeReady(waiting: -1)
        }
    }

    private func wakeReady(waiting milliseconds: Int32) -> Bool {
        let ready = room.wakeReady(waiting: milliseconds)
        if ready.contains(doorbell) {
            var count: eventfd_t = 0
            _ = eventfd_read(doorbell, &count)
        }
        return !ready.isEmpty
    }

    private func fireNextTimer() -> Bool {
        let due = state.withLock { state -> Timer? in
            let next = state.timers.values.min { ($0.moment, $0.order) < ($1.moment, $1.order) }
            guard let next else { return nil }
            state.timers[next.order] = nil
            state.now = max(state.now, next.moment)
            return next
        }
        due?.wake()
        return due != nil
    }

    /// Suspends until `descriptor` is ready, or the task is cancelled.
    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await room.wait(for: readiness, of: descriptor)
    }

    func sleep(until moment: Duration) async throws {
        let order = state.withLock { state in
            defer { state.nextOrder += 1 }
            return state.nextOrder
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                state.withLock {
                    $0.timers[order] = Timer(moment: moment, order: order) { waiter.resume() }
                }
                ringFromOutside()
                if Task.isCancelled { cancelTimer(order) }
            }
        } onCancel: {
            cancelTimer(order)
        }
        try Task.checkCancellation()
    }

    private func cancelTimer(_ order: UInt64) {
        state.withLock { $0.timers.removeValue(forKey: order) }?.wake()
    }
}
