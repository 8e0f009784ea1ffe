import CLinux
import Glibc

/// An epoll instance and the waiters for each descriptor: one registration per descriptor, any number of waiters.
///
/// It has no thread of its own; `EventLoop` drives it. Every registration is one-shot: it stays with epoll,
/// disabled, until the descriptor is armed again or closed, so that a wait takes one system call to arm and one
/// to be woken.
struct EpollQueue: ~Copyable {
    typealias Wake = @Sendable () -> Void

    private let queue: Int32
    private var waiting: [Int32: (events: UInt32, wakes: [Wake])] = [:]
    private var interrupter: Int32?

    init() throws(SocketError) {
        queue = epoll_create1(epoll_close_on_exec)
        guard queue >= 0 else { throw SocketError(call: "epoll_create1", errno: errno) }
    }

    deinit { _ = Glibc.close(queue) }

    var count: Int { waiting.count }

    /// Lets `descriptor`, an eventfd, end a blocking `collect`.
    mutating func interrupt(on descriptor: Int32) throws(SocketError) {
        var event = epoll_event()
        event.events = epoll_level_input
        event.data.fd = descriptor
        guard epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SocketError(call: "epoll_ctl", errno: errno)
        }
        interrupter = descriptor
    }

    /// Arms `descriptor`. A descriptor that cannot be watched wakes its task at once: the system call that the
    /// task repeats then reports the error.
    mutating func arm(_ descriptor: Int32, for readiness: Readiness, wake: @escaping Wake) {
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

    /// Removes the waiters of `descriptor` and returns their wake calls. Waiters that are not done arm it
    /// again. A late event wakes nothing.
    mutating func disarm(_ descriptor: Int32) -> [Wake] {
        waiting.removeValue(forKey: descriptor)?.wakes ?? []
    }

    /// The epoll descriptor, which `collect(from:)` needs to wait outside any lock.
    var descriptor: Int32 { queue }

    /// The wake calls for `descriptors`, which epoll has just reported.
    mutating func take(_ descriptors: [Int32]) -> [Wake] {
        descriptors.flatMap { $0 == interrupter ? [] : disarm($0) }
    }

    /// The descriptors that are ready, after waiting at most `limit`; without limit if nil.
    static func ready(in queue: Int32, waiting limit: Duration?) -> [Int32] {
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
        // Kernels before 5.11, and sandboxes without this call, count milliseconds; waking late is better than
        // spinning.
        return epoll_wait(
            queue, events.baseAddress, capacity, Int32(clamping: Int((limit / .milliseconds(1)).rounded(.up)))
        )
    }
}
