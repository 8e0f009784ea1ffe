import Bytes

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
