import Bluetooth
import CBluez
import Glibc

extension PacketSocket {
    /// A socket on the kernel's management channel: one that was opened when the program began, or a new one.
    ///
    /// Binding needs no capability. But most commands need `CAP_NET_ADMIN` to have been in effect when it was bound.
    static func management(readiness: any DescriptorReadiness) throws(SocketError) -> any Bearer {
        if let lent = try BluetoothPrivileges.management(readiness: readiness) { return lent }
        return try PacketSocket(adopting: try managementDescriptor(), readiness: readiness)
    }

    static func managementDescriptor() throws(SocketError) -> Int32 {
        try descriptor(on: HCI_CHANNEL_CONTROL, of: UInt16(HCI_DEV_NONE))
    }

    /// A socket of the kernel's Bluetooth on `channel` of controller `index`, with the events that `filter` admits.
    static func descriptor(
        on channel: Int32, of index: UInt16, admitting filter: hci_filter? = nil
    ) throws(SocketError) -> Int32 {
        let descriptor = socket(bluetooth_family, bluetooth_management_socket_type, BTPROTO_HCI)
        guard descriptor >= 0 else { throw SocketError(call: "socket", errno: errno) }
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(bluetooth_family)
        address.hci_dev = index
        address.hci_channel = UInt16(channel)
        var failed: String?
        if var filter {
            let size = socklen_t(MemoryLayout<hci_filter>.size)
            if setsockopt(descriptor, hci_level, HCI_FILTER, &filter, size) != 0 { failed = "setsockopt" }
        }
        if failed == nil, withAddress(&address, { bind(descriptor, $0, $1) }) != 0 { failed = "bind" }
        guard let failed else { return descriptor }
        let error = SocketError(call: failed, errno: errno)
        _ = Glibc.close(descriptor)
        throw error
    }

    /// A socket on the raw channel of controller `index`, with the events that `HCIEvent` reads.
    ///
    /// Opening needs no capability; without `CAP_NET_RAW` the kernel passes on no LE events and refuses LE
    /// commands with `EPERM`. The controller's number stays reserved while the socket is open (kernel
    /// `hci_release_dev` in `net/bluetooth/hci_core.c`).
    static func hci(_ index: UInt16, readiness: any DescriptorReadiness) throws(SocketError) -> PacketSocket {
        var filter = hci_filter()
        filter.type_mask = 1 << 4
        filter.event_mask = (1 << 0x05 | 1 << 0x0E | 1 << 0x0F, 1 << (0x3E - 32))
        let descriptor = try descriptor(on: HCI_CHANNEL_RAW, of: index, admitting: filter)
        return try PacketSocket(adopting: descriptor, readiness: readiness)
    }
}
