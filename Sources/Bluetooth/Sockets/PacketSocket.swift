import CLinux
import Glibc
import Synchronization

/// A `Bearer` of the kernel: a `SOCK_SEQPACKET` socket, one packet a call, never blocking a thread.
///
/// An L2CAP channel and a Unix pair behave alike, so tests on one hold for the other. A descriptor holds one
/// epoll registration: reading waits on the socket, writing on a duplicate of it.
public final class PacketSocket: Bearer {
    private let reading: Int32
    private let writing: Int32
    private let isClosed = Atomic(false)
    private let packetCount = Atomic<UInt>(0)
    /// How many packets are sent or received before the task yields.
    private static let packetsBetweenYields: UInt = 64
    private let readiness: any DescriptorReadiness

    /// The longest packet that `receive` accepts: an attribute packet is at most 517 bytes, a packet of a
    /// credit-based channel at most the MTU that we announce for it.
    public static let maximumPacket = 4096

    /// Takes over an open, non-blocking socket; it is closed with the last reference.
    public init(adopting descriptor: Int32, readiness: any DescriptorReadiness) throws(SocketError) {
        reading = descriptor
        writing = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.readiness = readiness
        guard writing >= 0 else { throw SocketError(call: "fcntl", errno: errno) }
    }

    deinit {
        _ = Glibc.close(reading)
        if writing >= 0 { _ = Glibc.close(writing) }
    }

    public func send(_ packet: [UInt8]) async throws(BearerError) {
        _ = try await retrying("send", when: .writable, of: writing) {
            Glibc.send(writing, packet, packet.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Hands packets to the kernel, as many with one call as its queue accepts.
    public func send(
        _ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8]
    ) async throws(BearerError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try await retrying("sendmmsg", when: .writable, of: writing) {
                rest.withUnsafeBufferPointer {
                    send_packets(writing, header, header.count, $0.baseAddress, $0.count, length)
                }
            }
            rest = rest.dropFirst(count * length)
            // The kernel accepted fewer packets than it was given: its queue is full, so it is not asked again at once.
            if count < most_packets_at_once, !rest.isEmpty { await awaitCapacity() }
        }
    }

    public func receive() async throws(BearerError) -> [UInt8]? {
        var packet: [UInt8] = []
        let count = try await retrying("recv", when: .readable, of: reading) {
            var received = 0
            packet = [UInt8](unsafeUninitializedCapacity: Self.maximumPacket) { buffer, filled in
                received = recv(reading, buffer.baseAddress, buffer.count, 0)
                filled = max(received, 0)
            }
            return received
        }
        return count == 0 ? nil : packet
    }

    /// Suspends until the kernel accepts a packet, the link has ended, or the task is cancelled. May return early.
    public func awaitCapacity() async { await readiness.wait(for: .writable, of: writing) }

    /// Runs `body` with the descriptor, which is open for as long as the socket lives. `body` must not read from it,
    /// write to it or close it.
    public func withDescriptor<Value>(_ body: (Int32) -> Value) -> Value { body(reading) }

    /// Whether this end was closed.
    public var hasClosed: Bool { isClosed.load(ordering: .acquiring) }

    public func close() {
        isClosed.store(true, ordering: .releasing)
        _ = shutdown(reading, Int32(SHUT_RDWR))
    }

    private func retrying(
        _ call: String, when readiness: Readiness, of descriptor: Int32, _ body: () -> Int
    ) async throws(BearerError) -> Int {
        while true {
            guard !isClosed.load(ordering: .acquiring) else { throw .closed }
            guard !Task.isCancelled else { throw .cancelled }
            let result = body()
            if result >= 0 {
                // A peer that always has another packet must not starve the other tasks of this thread.
                let count = packetCount.wrappingAdd(1, ordering: .relaxed).newValue
                if count.isMultiple(of: Self.packetsBetweenYields) { await Task.yield() }
                return result
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: await self.readiness.wait(for: readiness, of: descriptor)
            case EPIPE, ECONNRESET, ENOTCONN, ESHUTDOWN: throw .closed
            case let code: throw .system(call: call, errno: code)
            }
        }
    }

    /// Two ends of one link inside this machine, made of a Unix `SOCK_SEQPACKET` pair.
    /// `queueBytes` is the kernel's send queue (`SO_SNDBUF`, which the kernel doubles for its own accounting):
    /// small, so that what was sent is close to what has arrived.
    public static func pair(
        queueBytes: Int32 = 4096, readiness: any DescriptorReadiness
    ) throws(SocketError) -> (PacketSocket, PacketSocket) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, packet_socket_type, 0, &ends) == 0 else {
            throw SocketError(call: "socketpair", errno: errno)
        }
        for end in ends {
            var bytes = queueBytes
            _ = setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let first: PacketSocket
        do throws(SocketError) { first = try PacketSocket(adopting: ends[0], readiness: readiness) } catch {
            _ = Glibc.close(ends[1])
            throw error
        }
        return (first, try PacketSocket(adopting: ends[1], readiness: readiness))
    }
}

public struct SocketError: Error, Equatable, Sendable {
    public let call: String
    public let errno: Int32

    public init(call: String, errno: Int32) { (self.call, self.errno) = (call, errno) }

    /// The call, and the system's text for the error.
    package var words: String { "\(call): \(String(cString: strerror(errno)))" }
}
