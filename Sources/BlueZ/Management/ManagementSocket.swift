import Bluetooth
import CBluez
import Glibc

extension PacketSocket {
    /// A socket on the kernel's management channel: one that was opened when the program began, or a new one.
    ///
    /// Binding needs no capability. Most commands need `CAP_NET_ADMIN` to have been in effect at that time.
    static func management(readiness: any DescriptorReadiness) throws(SocketError) -> any Bearer {
        if let lent = try BluetoothPrivileges.management(readiness: readiness) { return lent }
        return try PacketSocket(adopting: try managementDescriptor().get(), readiness: readiness)
    }

    /// A bound socket.
    static func managementDescriptor() -> Result<Int32, SocketError> {
        let descriptor = socket(bluetooth_family, bluetooth_management_socket_type, BTPROTO_HCI)
        guard descriptor >= 0 else { return .failure(SocketError(call: "socket", errno: errno)) }
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
            return .failure(error)
        }
        return .success(descriptor)
    }
}
