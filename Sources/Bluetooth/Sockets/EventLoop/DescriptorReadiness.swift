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
