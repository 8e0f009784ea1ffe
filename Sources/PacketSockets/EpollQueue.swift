import CLinux
import Glibc

/// An epoll instance and who waits for which descriptor: one registration for each, any number of waiters.
///
/// A value-like core without a thread of its own; `EpollThread` and virtual time drive it. Every
/// registration is one-shot: arm, wake, forget.
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
        let added = epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0
        guard added || (errno == EEXIST && epoll_ctl(queue, EPOLL_CTL_MOD, descriptor, &event) == 0) else {
            return wake()
        }
        waiting[descriptor] = registration
    }

    /// Forgets `descriptor`; what would have woken its tasks. Those that are not done arm it again.
    public mutating func disarm(_ descriptor: Int32) -> [Wake] {
        guard let wakes = waiting.removeValue(forKey: descriptor)?.wakes else { return [] }
        _ = epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, nil)
        return wakes
    }

    /// The number that `collect(from:)` needs to wait outside of any lock.
    public var descriptor: Int32 { queue }

    /// What wakes the tasks of `descriptors`, which epoll has just reported.
    public mutating func take(_ descriptors: [Int32]) -> [Wake] {
        descriptors.flatMap { $0 == interrupter ? [] : disarm($0) }
    }

    /// The descriptors that are ready, waiting at most `milliseconds` (-1: for ever).
    public static func ready(in queue: Int32, waiting milliseconds: Int32) -> [Int32] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = epoll_wait(queue, events.baseAddress, 64, milliseconds)
            return count > 0 ? (0..<Int(count)).map { events[$0].data.fd } : []
        }
    }
}
