import CLinux
import Glibc
import Synchronization

/// The program's one thread that waits for descriptors, asleep while none is ready.
public final class EpollThread: DescriptorReadiness {
    private let queue: Mutex<EpollQueue>
    private let descriptor: Int32

    /// The thread that the whole process shares; a second one would only cost memory.
    public static let shared: Result<EpollThread, SocketError> = {
        do throws(SocketError) { return .success(try EpollThread()) } catch { return .failure(error) }
    }()

    private init() throws(SocketError) {
        let epoll = try EpollQueue()
        descriptor = epoll.descriptor
        queue = Mutex(epoll)
        var thread = pthread_t()
        let owner = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<EpollThread>.fromOpaque(argument).takeUnretainedValue().loop() }
                return nil
            }, owner.toOpaque())
        guard code == 0 else {
            owner.release()
            throw SocketError(call: "pthread_create", errno: code)
        }
        pthread_detach(thread)
    }

    private func loop() {
        while true {
            let ready = EpollQueue.ready(in: descriptor, waiting: -1)
            for wake in queue.withLock({ $0.take(ready) }) { wake() }
        }
    }

    /// Suspends until `descriptor` is ready, or the task is cancelled.
    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                queue.withLock { $0.arm(descriptor, for: readiness) { waiter.resume() } }
                // Cancelled before it was armed: the handler has found nothing to wake.
                if Task.isCancelled { wakeAll(of: descriptor) }
            }
        } onCancel: {
            wakeAll(of: descriptor)
        }
    }

    private func wakeAll(of descriptor: Int32) {
        for wake in queue.withLock({ $0.disarm(descriptor) }) { wake() }
    }
}
