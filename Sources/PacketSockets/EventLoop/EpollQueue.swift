import CLinux
import Glibc

/// An epoll instance and who waits for which descriptor: one registration for each, any number of waiters.
///
/// A value-like core without a thread of its own; `EventLoop` drives it. Every registration is one-shot: it
/// stays with epoll, mute, until the descriptor is armed again or closed, so that a wait takes one system call to
/// arm and one to be woken.
public struct EpollQueue: ~Copyable {
    /// What wakes a waiting task.
    public typealias Wake = @Sendable () -> Void

    private let queue: Int32
    private var waiting: [Int32: (events: UInt32, wakes: [Wake])] = [:]
    private var interrupter: Int32?

    /// A queue without registrations.
    public init() throws(SocketError) {
        queue = epoll_create1(epoll_close_on_exec)
        guard queue >= 0 else { throw SocketError(call: "epoll_create1", errno: errno) }
    }

    deinit { _ = Glibc.close(queue) }

    /// How many descriptors are being waited for.
    public var count: Int { waiting.count }

    /// Lets `descriptor`, an eventfd, end a blocking `collect`.
    public mutating func interrupt(on descriptor: Int32) throws(SocketError) {
        var event = epoll_event()
        event.events = epoll_level_input
        event.data.fd = descriptor
        guard epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SocketError(call: "epoll_ctl", errno: errno)
        }
        interrupter = descriptor
    }

    /// Arms `descriptor`. A descriptor that cannot be watched wakes its task at once: the system call it
    /// repeats then tells what is wrong.
    public mutating func arm(_ descriptor: Int32, for readiness: Readiness, wake: @escaping Wake) {
        var registration = waiting[descriptor] ?? (0, [])
        registration.events |= readiness == .readable ? epoll_wants_input : epoll_wants_output
        registration.wakes.append(wake)
        var event = epoll_event()
        event.events = registration.events
        event.data.fd = descriptor
        let isKnown = epoll_ctl(queue, EPOLL_CTL_MOD, descriptor, &event) == 0
        guard isKnown || (errno == ENOENT && epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0) else {
            return wake()
        }
        waiting[descriptor] = registration
    }

    /// Forgets who waits for `descriptor`; what would have woken them. Those that are not done arm it again. An
    /// event that still comes finds nobody.
    public mutating func disarm(_ descriptor: Int32) -> [Wake] {
        waiting.removeValue(forKey: descriptor)?.wakes ?? []
    }

    /// The number that `collect(from:)` needs to wait outside of any lock.
    public var descriptor: Int32 { queue }

    /// What wakes the tasks of `descriptors`, which epoll has just reported.
    public mutating func take(_ descriptors: [Int32]) -> [Wake] {
        descriptors.flatMap { $0 == interrupter ? [] : disarm($0) }
    }

    /// The descriptors that are ready, waiting at most `limit`; for ever when that is nil.
    public static func ready(in queue: Int32, waiting limit: Duration?) -> [Int32] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = wait(queue, events, limit)
            return count > 0 ? (0..<Int(count)).map { events[$0].data.fd } : []
        }
    }

    private static func wait(
        _ queue: Int32, _ events: UnsafeMutableBufferPointer<epoll_event>, _ limit: Duration?
    ) -> Int32 {
        let capacity = Int32(events.count)
        guard let limit else { return epoll_wait(queue, events.baseAddress, capacity, -1) }
        guard limit > .zero else { return epoll_wait(queue, events.baseAddress, capacity, 0) }
        let (seconds, attoseconds) = limit.components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let count = epoll_pwait2(queue, events.baseAddress, capacity, &time, nil)
        guard count < 0, errno != EINTR else { return count }
        // Kernels before 5.11, and sandboxes that do not know this call, count milliseconds; better late than
        // spinning.
        return epoll_wait(
            queue, events.baseAddress, capacity, Int32(clamping: Int((limit / .milliseconds(1)).rounded(.up)))
        )
    }
}
