import Synchronization

/// Tasks that wait for descriptors, and the epoll instance that tells which are ready.
///
/// It has no thread of its own: its owner's thread calls `wakeReady`.
public final class DescriptorWaiters: Sendable {
    private let queue: Mutex<EpollQueue>
    private let descriptor: Int32

    /// Creates it without waiters. With an `interrupter`, an eventfd, a blocking `wakeReady` can be ended from
    /// outside.
    public init(interrupter: Int32? = nil) throws(SocketError) {
        var epoll = try EpollQueue()
        if let interrupter { try epoll.interrupt(on: interrupter) }
        descriptor = epoll.descriptor
        queue = Mutex(epoll)
    }

    /// Suspends until `descriptor` is ready, or the task is cancelled.
    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                queue.withLock { $0.arm(descriptor, for: readiness) { waiter.resume() } }
                // Cancelled before it was armed: the handler found nothing to wake.
                if Task.isCancelled { wakeAll(of: descriptor) }
            }
        } onCancel: {
            wakeAll(of: descriptor)
        }
    }

    /// Wakes the waiters of ready descriptors, after at most `limit` (nil: without limit); returns those
    /// descriptors. `awake` is called before waking, with whether any descriptor was ready.
    public func wakeReady(
        waiting limit: Duration?, awake: (_ isAnythingReady: Bool) -> Void = { _ in }
    ) -> [Int32] {
        let ready = EpollQueue.ready(in: descriptor, waiting: limit)
        awake(!ready.isEmpty)
        guard !ready.isEmpty else { return [] }
        for wake in queue.withLock({ $0.take(ready) }) { wake() }
        return ready
    }

    private func wakeAll(of descriptor: Int32) {
        for wake in queue.withLock({ $0.disarm(descriptor) }) { wake() }
    }
}

/// The state of a descriptor to wait for.
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
