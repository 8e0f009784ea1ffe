import CLinux
import Glibc

extension PacketSocket {
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
