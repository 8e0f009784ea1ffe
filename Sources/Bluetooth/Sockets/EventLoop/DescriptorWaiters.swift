import CLinux
import Glibc
import Synchronization

/// Tasks that wait for descriptors, and the epoll instance that tells which are ready: one registration per descriptor,
/// any number of waiters.
///
/// It has no thread of its own: `EventLoop` calls `wakeReady`. Every registration is one-shot: it stays with epoll,
/// disabled, until the descriptor is armed again or closed, so that a wait takes one system call to arm and one
/// to be woken.
final class DescriptorWaiters: Sendable {
    typealias Wake = @Sendable () -> Void

    private let queue: Int32
    /// An eventfd that ends a blocking `wakeReady`.
    private let interrupter: Int32
    private let waiting = Mutex<[Int32: (events: UInt32, wakes: [Wake])]>([:])

    init(interrupter: Int32) throws(SocketError) {
        self.interrupter = interrupter
        queue = epoll_create1(epoll_close_on_exec)
        guard queue >= 0 else { throw SocketError(call: "epoll_create1", errno: errno) }
        var event = epoll_event()
        event.events = epoll_level_input
        event.data.fd = interrupter
        guard epoll_ctl(queue, EPOLL_CTL_ADD, interrupter, &event) == 0 else {
            throw SocketError(call: "epoll_ctl", errno: errno)
        }
    }

    deinit { if queue >= 0 { _ = Glibc.close(queue) } }

    func wait(for readiness: Readiness, of descriptor: Int32) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                arm(descriptor, for: readiness) { waiter.resume() }
                // The task was cancelled before the descriptor was armed: the handler found nothing to wake.
                if Task.isCancelled { wakeAll(of: descriptor) }
            }
        } onCancel: {
            wakeAll(of: descriptor)
        }
    }

    /// Waits at most `limit` (nil: without limit) for ready descriptors, wakes their waiters, and returns the
    /// descriptors. `awake` is called before waking, with whether any descriptor was ready.
    func wakeReady(waiting limit: Duration?, awake: (_ isAnythingReady: Bool) -> Void) -> [Int32] {
        let ready = withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = wait(for: events, limit)
            return count > 0 ? (0..<Int(count)).map { events[$0].data.fd } : []
        }
        awake(!ready.isEmpty)
        guard !ready.isEmpty else { return [] }
        let wakes = waiting.withLock { waiting in
            ready.flatMap { $0 == interrupter ? [] : waiting.removeValue(forKey: $0)?.wakes ?? [] }
        }
        for wake in wakes { wake() }
        return ready
    }

    /// Arms `descriptor`. A descriptor that cannot be watched wakes its task at once: the system call that the
    /// task repeats then reports the error.
    private func arm(_ descriptor: Int32, for readiness: Readiness, wake: @escaping Wake) {
        waiting.withLock { waiting in
            var registration = waiting[descriptor] ?? (0, [])
            registration.events |= readiness == .readable ? epoll_wants_input : epoll_wants_output
            registration.wakes.append(wake)
            var event = epoll_event()
            event.events = registration.events
            event.data.fd = descriptor
            let isKnown = epoll_ctl(queue, EPOLL_CTL_MOD, descriptor, &event) == 0
            guard isKnown || (errno == ENOENT && epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0)
            else { return wake() }
            waiting[descriptor] = registration
        }
    }

    /// Wakes all waiters of `descriptor`. Those that were not cancelled arm it again. A later event wakes nothing.
    private func wakeAll(of descriptor: Int32) {
        for wake in waiting.withLock({ $0.removeValue(forKey: descriptor)?.wakes ?? [] }) { wake() }
    }

    private func wait(for events: UnsafeMutableBufferPointer<epoll_event>, _ limit: Duration?) -> Int32 {
        let capacity = Int32(events.count)
        guard let limit else { return epoll_wait(queue, events.baseAddress, capacity, -1) }
        guard limit > .zero else { return epoll_wait(queue, events.baseAddress, capacity, 0) }
        let (seconds, attoseconds) = limit.components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let count = epoll_pwait2(queue, events.baseAddress, capacity, &time, nil)
        guard count < 0, errno != EINTR else { return count }
        // Kernels before 5.11, and sandboxes without this call, count milliseconds; waking late is better than
        // spinning.
        return epoll_wait(
            queue, events.baseAddress, capacity, Int32(clamping: Int((limit / .milliseconds(1)).rounded(.up)))
        )
    }
}

public enum Readiness: Sendable {
    /// A packet has arrived, or the other end is gone.
    case readable
    /// The queue accepts another packet.
    case writable
}

/// Wakes a task when a descriptor is ready: the program's epoll thread, or a test's virtual time.
public protocol DescriptorReadiness: Sendable {
    /// Suspends until `descriptor` is ready, or the task is cancelled. May return early: the caller tries
    /// again and waits again.
    func wait(for readiness: Readiness, of descriptor: Int32) async
}
