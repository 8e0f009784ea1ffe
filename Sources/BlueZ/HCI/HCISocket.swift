import Bluetooth
import CBluez
import Glibc

extension PacketSocket {
    /// A socket on the raw channel of controller `index`, with the events that `HCIEvent` reads.
    ///
    /// Opening needs no capability; without `CAP_NET_RAW` the kernel passes on no LE events and refuses LE
    /// commands with `EPERM`. The controller's number stays reserved while it is open (kernel `hci_release_dev`
    /// in `net/bluetooth/hci_core.c`).
    static func hci(_ index: UInt16, readiness: any DescriptorReadiness) throws(SocketError) -> PacketSocket {
        let descriptor = socket(bluetooth_family, bluetooth_management_socket_type, BTPROTO_HCI)
        guard descriptor >= 0 else { throw SocketError(call: "socket", errno: errno) }
        var filter = hci_filter()
        filter.type_mask = 1 << 4
        filter.event_mask = (1 << 0x05 | 1 << 0x0E | 1 << 0x0F, 1 << (0x3E - 32))
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(bluetooth_family)
        address.hci_dev = index
        address.hci_channel = UInt16(HCI_CHANNEL_RAW)
        let isSet =
            setsockopt(
                descriptor, hci_level, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size)) == 0
        let code =
            isSet
            ? withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
                }
            } : -1
        guard code == 0 else {
            let error = SocketError(call: isSet ? "bind" : "setsockopt", errno: errno)
            _ = Glibc.close(descriptor)
            throw error
        }
        return try PacketSocket(adopting: descriptor, readiness: readiness)
    }
}
