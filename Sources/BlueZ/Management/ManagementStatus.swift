import Bluetooth
import Bytes
import CBluez
import Glibc

/// How the kernel answered a management command (BlueZ `doc/mgmt-api.txt`, "Status codes").
struct ManagementStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt8

    static let success = ManagementStatus(rawValue: 0x00)
    static let unknownCommand = ManagementStatus(rawValue: 0x01)
    static let notConnected = ManagementStatus(rawValue: 0x02)
    /// The same operation is in progress, usually for another program.
    static let busy = ManagementStatus(rawValue: 0x0A)
    /// The command is not valid in the current state.
    static let rejected = ManagementStatus(rawValue: 0x0B)
    /// The link has ended; later kernels answer this if there is no link.
    static let disconnected = ManagementStatus(rawValue: 0x0E)
    static let notPowered = ManagementStatus(rawValue: 0x0F)
    static let invalidIndex = ManagementStatus(rawValue: 0x11)
    /// A radio switch (rfkill) keeps the adapter off.
    static let rfkilled = ManagementStatus(rawValue: 0x12)
    static let permissionDenied = ManagementStatus(rawValue: 0x14)

    private static let names = [
        "success", "unknown command", "not connected", "failed", "connect failed", "authentication failed",
        "not paired", "no resources", "timeout", "already connected", "busy", "rejected", "not supported",
        "invalid parameters", "disconnected", "not powered", "cancelled", "invalid index", "rfkilled",
        "already paired", "permission denied",
    ]

    var description: String {
        let index = Int(rawValue)
        return Self.names.indices.contains(index) ? Self.names[index] : "status \(HexText.number(rawValue))"
    }
}

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
}
