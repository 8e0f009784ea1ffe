import GATT
import Glibc
import PacketSockets
import Synchronization

/// Management channels that were opened while `CAP_NET_ADMIN` was in effect.
///
/// None can be opened later, so each is lent to one user at a time, and lent again when that one is done with it.
final class ManagementSupply: Sendable {
    private struct State: Sendable {
        /// Those that nobody has used yet.
        var unused: [Int32]
        /// Those that were given back.
        var idle: [PacketSocket] = []
    }

    private let state: Mutex<State>

    /// A supply of open sockets, which it takes over.
    init(_ descriptors: [Int32]) { state = Mutex(State(unused: descriptors)) }

    deinit {
        for descriptor in state.withLock({ $0.unused }) { _ = Glibc.close(descriptor) }
    }

    /// A channel that nobody else has, without what the kernel has said on it before; nil when all are lent.
    func lend(readiness: any DescriptorReadiness) throws(SocketError) -> LentChannel? {
        let (idle, unused) = state.withLock { state in
            let idle = state.idle.popLast()
            return (idle, idle == nil ? state.unused.popLast() : nil)
        }
        if let idle { return LentChannel(Self.emptied(idle), from: self) }
        guard let unused else { return nil }
        let socket = try PacketSocket(adopting: unused, readiness: readiness)
        return LentChannel(Self.emptied(socket), from: self)
    }

    fileprivate func takeBack(_ socket: PacketSocket) { state.withLock { $0.idle.append(socket) } }

    private static func emptied(_ socket: PacketSocket) -> PacketSocket {
        socket.withDescriptor { descriptor in
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) > 0 {}
        }
        return socket
    }
}

/// A channel of a supply, which gets it back at the end of its use.
final class LentChannel: Bearer {
    private let socket: PacketSocket
    private let supply: ManagementSupply
    private let isClosed = Atomic(false)

    init(_ socket: PacketSocket, from supply: ManagementSupply) {
        self.socket = socket
        self.supply = supply
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

    /// Ends the use. As with any management socket, a task that waits for a packet is not woken; it has to be cancelled.
    func close() {
        if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { supply.takeBack(socket) }
    }
}
