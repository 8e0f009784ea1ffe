import Bluetooth
import Glibc
import Synchronization

/// Management channels that were opened while `CAP_NET_ADMIN` was in effect.
///
/// None can be opened later, so each is lent to one user at a time, and again when it is returned.
final class ManagementChannelPool: Sendable {
    private struct State: Sendable {
        var unused: [Int32]
        var idle: [PacketSocket] = []
    }

    private let state: Mutex<State>

    init(_ descriptors: [Int32]) { state = Mutex(State(unused: descriptors)) }

    deinit {
        for descriptor in state.withLock({ $0.unused }) { _ = Glibc.close(descriptor) }
    }

    /// Lends a channel exclusively, without earlier input from the kernel; nil when all are lent.
    func takeChannel(readiness: any DescriptorReadiness) throws(SocketError) -> PooledChannel? {
        let (idle, unused) = state.withLock { state in
            let idle = state.idle.popLast()
            return (idle, idle == nil ? state.unused.popLast() : nil)
        }
        if let idle { return PooledChannel(Self.withoutQueuedInput(idle), from: self) }
        guard let unused else { return nil }
        let socket = try PacketSocket(adopting: unused, readiness: readiness)
        return PooledChannel(Self.withoutQueuedInput(socket), from: self)
    }

    fileprivate func giveBack(_ socket: PacketSocket) { state.withLock { $0.idle.append(socket) } }

    private static func withoutQueuedInput(_ socket: PacketSocket) -> PacketSocket {
        socket.withDescriptor { descriptor in
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) > 0 {}
        }
        return socket
    }
}

/// A channel of a pool, to which it returns at the end of its use.
final class PooledChannel: Bearer {
    private let socket: PacketSocket
    private let pool: ManagementChannelPool
    private let isClosed = Atomic(false)

    init(_ socket: PacketSocket, from pool: ManagementChannelPool) {
        (self.socket, self.pool) = (socket, pool)
    }

    deinit { close() }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        guard !isClosed.load(ordering: .acquiring) else { throw .closed }
        try await socket.send(packet)
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        guard !isClosed.load(ordering: .acquiring) else { throw .closed }
        return try await socket.receive()
    }

    /// Ends the use. As with any management socket, this does not wake a task that waits for a packet; cancel it.
    func close() {
        if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { pool.giveBack(socket) }
    }
}
