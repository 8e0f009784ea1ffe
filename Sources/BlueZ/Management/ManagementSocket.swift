import CBluez
import Glibc
import PacketSockets

extension PacketSocket {
    /// A socket on the kernel's management channel.
    ///
    /// Binding needs no capability, most commands need `CAP_NET_ADMIN`.
    static func management(readiness: any DescriptorReadiness) throws(SocketError) -> PacketSocket {
        let descriptor = socket(bluetooth_family, bluetooth_management_socket_type, BTPROTO_HCI)
        guard descriptor >= 0 else { throw SocketError(call: "socket", errno: errno) }
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(bluetooth_family)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = UInt16(HCI_CHANNEL_CONTROL)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
            }
        }
        guard code == 0 else {
            let error = SocketError(call: "bind", errno: errno)
            _ = Glibc.close(descriptor)
            throw error
        }
        return try PacketSocket(adopting: descriptor, readiness: readiness)
    }
}
