import Bluetooth
import CBluez
import Glibc

/// A socket that other devices connect channels to (kernel `net/bluetooth/l2cap_sock.c`).
///
/// For attributes it belongs to one address and address type of one controller. If several programs listen there, the
/// last one to begin gets the links, and the others do not notice it (seen on 6.1). A PSM belongs to one program.
final class L2CAPListener: Sendable {
    private let descriptor: Int32
    private let readiness: any DescriptorReadiness

    /// Listens for `kind` at the controller's `address`. With a `maximumPacket`, a credit-based channel accepts
    /// packets of that many bytes.
    init(
        _ kind: LinkChannel, at address: DeviceAddress, maximumPacket: Int? = nil,
        readiness: any DescriptorReadiness
    ) throws(SocketError) {
        descriptor = Glibc.socket(bluetooth_family, bluetooth_packet_socket_type, BTPROTO_L2CAP)
        self.readiness = readiness
        guard descriptor >= 0 else { throw SocketError(call: "socket", errno: errno) }
        guard L2CAPConnection.call(descriptor, address, kind, bind) == 0 else {
            throw SocketError(call: "bind", errno: errno)
        }
        if let maximumPacket {
            _ = SocketOption.set(descriptor, bluetooth_level, BT_RCVMTU, to: UInt16(clamping: maximumPacket))
        }
        guard listen(descriptor, 1) == 0 else { throw SocketError(call: "listen", errno: errno) }
    }

    deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    /// The next channel and its peer. Throws `ECANCELED` when the task is cancelled.
    func accept() async throws(SocketError) -> (PacketSocket, DeviceAddress) {
        while true {
            guard !Task.isCancelled else { throw SocketError(call: "accept", errno: ECANCELED) }
            var place = sockaddr_l2()
            let channel = withAddress(&place) { accept_channel(descriptor, $0, &$1) }
            if channel >= 0 {
                let socket = try PacketSocket(adopting: channel, readiness: readiness)
                if let peer = Self.peer(place) { return (socket, peer) }
                continue
            }
            switch errno {
            case EAGAIN: await readiness.wait(for: .readable, of: descriptor)
            case EINTR, ECONNABORTED: continue
            case let code: throw SocketError(call: "accept", errno: code)
            }
        }
    }

    private static func peer(_ place: sockaddr_l2) -> DeviceAddress? {
        let bytes = withUnsafeBytes(of: place.l2_bdaddr) { Array($0.reversed()) }
        return DeviceAddress(bytes, Int32(place.l2_bdaddr_type) == BDADDR_LE_PUBLIC ? .public : .random)
    }
}
