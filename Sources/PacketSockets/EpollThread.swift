/// The program's one thread that waits for descriptors, asleep while none is ready.
public final class EpollThread: DescriptorReadiness {
    private let room: WaitingRoom

    /// The thread that the whole process shares; a second one would only cost memory.
    public static let shared: Result<EpollThread, SocketError> = {
        do throws(SocketError) { return .success(try EpollThread()) } catch { return .failure(error) }
    }()

    private init() throws(SocketError) {
        let room = try WaitingRoom()
        self.room = room
        try DetachedThread.start { while true { _ = room.wakeReady(waiting: -1) } }
    }

    /// Suspends until `descriptor` is ready, or the task is cancelled.
    public func wait(for readiness: Readiness, of descriptor: Int32) async {
        await room.wait(for: readiness, of: descriptor)
    }
}
