import Bluetooth
import Glibc
import Synchronization

/// The process's capabilities for Bluetooth, and when each is in effect.
///
/// `CAP_NET_ADMIN` counts when a management channel is bound (kernel `hci_sock_bind`), so all channels that the
/// command will need are bound first, and the capability is dropped before any file is read; but with an
/// adapter that is used exclusively it stays permitted, for binding its user channel. `CAP_NET_RAW` counts
/// with every command to a controller (`hci_sock_sendmsg`), so it stays permitted. Both are in effect only
/// for those calls. Capabilities belong to threads, and new threads inherit those of the thread that starts
/// them. libcap is not needed: it would replace two system calls.
///
/// A parser that is taken over still has the open management channels, which are all of Bluetooth, and the
/// permitted `CAP_NET_RAW`, but nothing of the network. Other capabilities (those of root) are left alone,
/// because files of other users are read with them.
public enum BluetoothPrivileges {
    static let ours: Capabilities.Bits = [.networkAdministration, .rawSockets]

    private struct State: Sendable {
        /// The capabilities in effect when the process began; nil while nothing was changed.
        var initial: Capabilities.Bits?
        var management: ManagementChannelPool?
    }

    private static let state = Mutex(State())

    /// Opens the management channels, then drops the capabilities that are not needed any more. Call it on the first
    /// thread, before there is another; `adapters` is how many adapters are used at the same time.
    package static func reduce(toUse adapters: Int, exclusively: Bool = false) {
        guard let before = Capabilities.current else { return }
        let channels = (0..<adapters).compactMap { _ in try? PacketSocket.managementDescriptor() }
        state.withLock { $0 = State(initial: before.effective, management: ManagementChannelPool(channels)) }
        remaining(of: before, needingAdapter: adapters > 0, exclusively: exclusively).apply()
    }

    static func remaining(
        of before: Capabilities, needingAdapter: Bool, exclusively: Bool = false
    ) -> Capabilities {
        if needingAdapter, exclusively { return before.lowering(ours) }
        return needingAdapter
            ? before.dropping(.networkAdministration).lowering(.rawSockets) : before.dropping(ours)
    }

    /// Lends one of the management channels that were opened at the start; nil when none is left.
    static func management(readiness: any DescriptorReadiness) throws(SocketError) -> PooledChannel? {
        try state.withLock { $0.management }?.takeChannel(readiness: readiness)
    }

    static var initial: Capabilities.Bits? {
        state.withLock { $0.initial } ?? Capabilities.current?.effective
    }

    /// Runs `body` with these capabilities in effect on this thread, where permitted.
    static func raised<Value, Failure: Error>(
        _ bits: Capabilities.Bits = .rawSockets, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let lowered = raise(bits) else { return try body() }
        defer { lowered.apply() }
        return try body()
    }

    /// Puts capabilities in effect; returns the capabilities to restore afterwards, nil if nothing was changed.
    fileprivate static func raise(_ bits: Capabilities.Bits = .rawSockets) -> Capabilities? {
        guard let now = Capabilities.current else { return nil }
        let raised = now.raising(bits)
        guard raised != now, raised.apply() else { return nil }
        return now
    }
}

/// A controller's raw channel whose commands are sent with `CAP_NET_RAW` in effect.
struct PrivilegedBearer<Base: Bearer>: Bearer {
    let base: Base

    /// A controller's queue is empty whenever a command is sent, so this does not wait, and stays on its thread.
    func send(_ packet: [UInt8]) async throws(BearerError) {
        let lowered = BluetoothPrivileges.raise()
        defer { lowered?.apply() }
        try await base.send(packet)
    }

    func receive() async throws(BearerError) -> [UInt8]? { try await base.receive() }
    func close() { base.close() }
}
