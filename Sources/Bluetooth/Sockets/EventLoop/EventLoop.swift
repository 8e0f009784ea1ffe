import CLinux
import Glibc
import Synchronization

/// One thread that runs tasks, waits for descriptors between them, and keeps time.
///
/// A task that runs on this executor and waits for a socket costs one system call to arm and one to be woken, and
/// needs no other thread. The program runs on real time; in tests the same loop lets time pass only when no task
/// can run.
public final class EventLoop: TaskExecutor, DescriptorReadiness {
    package enum ClockMode: Sendable {
        /// Real time while the machine runs (`CLOCK_MONOTONIC`) and the process is not stopped.
        case real
        /// Time for tests: it jumps to the next deadline when no task can run and no descriptor is ready.
        case virtual
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var timers = TimerQueue()
        /// When the loop last read the clock; in tests, the virtual time.
        var present = Duration.zero
        var runningTime = RunningTime()
        /// When the descriptors were last polled.
        var lastPoll = Duration.zero
        var isAsleep = false
        var isStopped = false
    }

    /// If the descriptors were not polled for this long, they come before the timers. No job runs this long, unless
    /// something is wrong.
    private static let stall = Duration.milliseconds(500)

    /// How many rounds of jobs may follow each other before descriptors are polled.
    private static let roundsBetweenPolls = 16

    /// The loop that the whole process shares.
    public static let shared: Result<EventLoop, SocketError> = {
        do throws(SocketError) { return .success(try EventLoop(.real)) } catch { return .failure(error) }
    }()

    private let clockMode: ClockMode
    private let start: Duration
    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let descriptorWaiters: DescriptorWaiters
    private let wakeUpEvent: Int32

    /// A loop on a thread of its own, which ends with `stop`.
    package init(_ clockMode: ClockMode) throws(SocketError) {
        self.clockMode = clockMode
        start = Self.uptime
        let wakeUp = eventfd(0, eventfd_flags)
        guard wakeUp >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
        do throws(SocketError) { descriptorWaiters = try DescriptorWaiters(interrupter: wakeUp) } catch {
            // `deinit` does not run if `init` throws.
            _ = Glibc.close(wakeUp)
            throw error
        }
        wakeUpEvent = wakeUp
        try DetachedThread.start { [self] in run() }
    }

    deinit { _ = Glibc.close(wakeUpEvent) }

    package func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp()
    }

    /// Time since the loop began, in its clock mode. For jobs on the loop it does not advance until the loop reads the
    /// clock again: reading some clocks takes longer than sending a packet.
    public var now: Duration {
        let isElsewhere = thread.load(ordering: .relaxed) != UInt(pthread_self())
        guard clockMode == .real, isElsewhere else { return state.withLock { $0.present } }
        return Self.uptime - start - state.withLock { $0.runningTime.missed }
    }

    private func readClock(after pause: RunningTime.Pause = .work) {
        guard clockMode == .real else { return }
        let moment = Self.uptime - start
        state.withLock { $0.present = $0.runningTime.pass(to: moment, after: pause) }
    }

    public var clock: Timekeeper {
        Timekeeper(
            reading: { self.now }, waiting: { try await self.sleep(until: $0) },
            setting: { self.alarm(at: $0, $1) })
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }

    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await descriptorWaiters.wait(for: readiness, of: descriptor)
    }

    public func sleep(until moment: Duration) async throws {
        let timer = state.withLock { $0.timers.reserve(moment) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                change { $0.timers.add(timer) { waiter.resume() } }
                // The handler may have run before the timer was there.
                if Task.isCancelled { cancel(timer) }
            }
        } onCancel: {
            cancel(timer)
        }
        try Task.checkCancellation()
    }

    /// Removes a timer and wakes its task at once, so that virtual time does not jump to it.
    private func cancel(_ timer: TimerQueue.Ticket) { state.withLock { $0.timers.remove(timer) }?() }

    private func alarm(at moment: Duration, _ ring: @escaping Timekeeper.Ring) -> Alarm {
        let timer = state.withLock { $0.timers.reserve(moment) }
        change { $0.timers.add(timer, ring) }
        return Alarm { [self] in _ = state.withLock { $0.timers.remove(timer) } }
    }

    /// Changes the state of the loop, and wakes it if it sleeps.
    private func change(_ body: (inout State) -> Void) {
        let wasAsleep = state.withLock { state in
            body(&state)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wasAsleep { wakeUp() }
    }

    private func wakeUp() { _ = eventfd_write(wakeUpEvent, 1) }

    private static var uptime: Duration {
        var moment = timespec()
        clock_gettime(CLOCK_MONOTONIC, &moment)
        return .seconds(moment.tv_sec) + .nanoseconds(moment.tv_nsec)
    }
}

extension EventLoop {
    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let executor = asUnownedTaskExecutor()
        var jobs: [UnownedJob] = []
        var rounds = 0
        while true {
            jobs.removeAll(keepingCapacity: true)
            let isStopped = state.withLock { state in
                swap(&jobs, &state.jobs)
                return state.isStopped
            }
            for job in jobs { job.runSynchronously(on: executor) }
            readClock()
            if jobs.isEmpty, isStopped { return }
            if !jobs.isEmpty {
                // A task that never waits must not keep timers and sockets from the others.
                rounds += 1
                guard clockMode == .real, rounds.isMultiple(of: Self.roundsBetweenPolls) else { continue }
            }
            switch clockMode {
            case .real: waitForEvents(isBusy: !jobs.isEmpty)
            case .virtual: jumpToNextDeadline()
            }
        }
    }

    /// Fires due timers; otherwise sleeps until a descriptor is ready, the next timer is due, or the loop is woken.
    private func waitForEvents(isBusy: Bool) {
        // After a stall (a stopped process, a blocked write) packets that have arrived in the meantime come
        // before overdue timers.
        if state.withLock({ $0.present - $0.lastPoll >= Self.stall }) {
            wakeReady(waiting: .zero)
            return
        }
        let (due, left, maySleep) = state.withLock { state in
            let due = state.timers.takeDue(by: state.present)
            state.isAsleep = !isBusy && due.isEmpty && state.jobs.isEmpty && !state.isStopped
            return (due, state.timers.next.map { $0 - state.present }, state.isAsleep)
        }
        for wake in due { wake() }
        if maySleep {
            wakeReady(waiting: left)
        } else if isBusy {
            wakeReady(waiting: .zero)
        }
    }

    /// Lets time jump to the next deadline, unless a descriptor is ready.
    private func jumpToNextDeadline() {
        if wakeReady(waiting: .zero) { return }
        let (wake, maySleep) = state.withLock { state in
            guard state.jobs.isEmpty else { return (nil as TimerQueue.Wake?, false) }
            guard let next = state.timers.next else {
                state.isAsleep = !state.isStopped
                return (nil, state.isAsleep)
            }
            state.present = max(state.present, next)
            return (state.timers.takeFirst(), false)
        }
        wake?()
        // Nothing can happen by itself: the next event comes from outside.
        if maySleep { wakeReady(waiting: nil) }
    }

    @discardableResult private func wakeReady(waiting limit: Duration?) -> Bool {
        let ready = descriptorWaiters.wakeReady(waiting: limit) { wasWoken in
            // Set before a task is woken: tasks that are queued on this thread need not wake the loop.
            state.withLock { $0.isAsleep = false }
            readClock(after: .sleep(limit: limit, wasWoken: wasWoken))
            state.withLock { $0.lastPoll = $0.present }
        }
        if ready.contains(wakeUpEvent) {
            var count: eventfd_t = 0
            _ = eventfd_read(wakeUpEvent, &count)
        }
        return !ready.isEmpty
    }
}

package enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    package static func start(_ body: @escaping @Sendable () -> Void) throws(SocketError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SocketError(call: "pthread_create", errno: code)
        }
        pthread_detach(thread)
    }

    /// The result of `body` on a new thread; calls `cancel` if the task is cancelled meanwhile.
    package static func result<Value: Sendable>(
        of body: @escaping @Sendable () -> Value, onCancel cancel: @escaping @Sendable () -> Void
    ) async throws(SocketError) -> Value {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<_, SocketError>, Never>) in
                do throws(SocketError) { try start { waiter.resume(returning: .success(body())) } } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            cancel()
        }.get()
    }
}

/// The clock of a loop whose process may be stopped (SIGSTOP). While it was stopped, the loop could not see the
/// events that it waits for, so that time does not count and every deadline is extended by it.
struct RunningTime: Equatable, Sendable {
    /// What happens between two reads of the clock.
    enum Pause: Equatable, Sendable {
        case work
        /// The loop slept, at most for `limit`; `wasWoken` by a descriptor, and not by time.
        case sleep(limit: Duration?, wasWoken: Bool)
    }

    /// A pause that is longer by this means that the process was stopped: otherwise no job runs this long, and no
    /// thread waits this long for a processor.
    static let absence = Duration.seconds(2)

    private var clock = Duration.zero
    private(set) var missed = Duration.zero

    /// Records that the clock shows `moment`; returns the time that counts until then.
    mutating func pass(to moment: Duration, after pause: Pause) -> Duration {
        let length = moment - clock
        clock = moment
        if Self.isAbsence(length, pause) { missed += length }
        return moment - missed
    }

    /// If a sleep was overrun, the part that was slept is unknown, so none of it counts. A sleep that ends
    /// early without a reason was ended by the signal that continues a stopped process.
    private static func isAbsence(_ length: Duration, _ pause: Pause) -> Bool {
        guard length >= absence else { return false }
        return switch pause {
        case .work: true
        case .sleep(nil, _): false
        case .sleep(let limit?, let wasWoken): length >= limit + absence || !wasWoken && length < limit
        }
    }
}
