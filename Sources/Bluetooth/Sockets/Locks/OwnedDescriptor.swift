import CLinux
import Glibc

/// A descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// A Unix packet socket without a name.
    static func packetSocket() throws(SocketError) -> OwnedDescriptor {
        let number = socket(AF_UNIX, packet_socket_type, 0)
        guard number >= 0 else { throw SocketError(call: "socket", errno: errno) }
        return OwnedDescriptor(number)
    }
}
