import Bluetooth
import CBluez
import Glibc

/// What the kernel reports about a connected channel, and the encryption of its link.
struct ChannelOptions: Sendable {
    enum Encryption: Equatable, Sendable {
        case pending, done, ended
    }

    /// Requests an encrypted link (`BT_SECURITY`); returns the error number, 0 when the kernel has begun.
    var encrypt: @Sendable () -> Int32
    var encryption: @Sendable () -> Encryption
    /// Suspends until the progress may have changed, or the task is cancelled.
    var encryptionNews: @Sendable () async -> Void
    var hasKey: @Sendable () -> Bool
    var handle: @Sendable () -> UInt16?
    /// The PHY that we send with, according to the kernel; Debian's 6.1 was seen to report none for a new link.
    var phy: @Sendable () -> PHY?
    /// The longest packet that the peer takes on a credit-based channel.
    var sendMTU: @Sendable () -> Int?
}

extension ChannelOptions {
    /// The options of an L2CAP socket (kernel `net/bluetooth/l2cap_sock.c`).
    ///
    /// While a change of security is pending the kernel counts the socket as not connected: it is not
    /// writable, and its options cannot be read.
    init(of socket: PacketSocket) {
        encrypt = {
            socket.withDescriptor { SocketOption.set($0, bluetooth_level, BT_SECURITY, to: mediumSecurity) }
        }
        encryption = { socket.withDescriptor(Self.encryption) }
        encryptionNews = { await socket.awaitCapacity() }
        hasKey = { socket.option(BT_SECURITY, as: UInt16.self).map { $0 >> 8 > 0 } ?? false }
        handle = { socket.withDescriptor(Self.handle) }
        phy = { socket.option(BT_PHY, as: UInt32.self).flatMap { PHY(sendingWith: $0) } }
        sendMTU = { socket.option(BT_SNDMTU, as: UInt16.self).map(Int.init) }
    }

    private static func encryption(_ descriptor: Int32) -> Encryption {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&watched, 1, 0) > 0 else { return .pending }
        if watched.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .ended }
        return watched.revents & Int16(POLLOUT) != 0 ? .done : .pending
    }

    private static func handle(_ descriptor: Int32) -> UInt16? {
        var information = l2cap_conninfo()
        var length = socklen_t(MemoryLayout<l2cap_conninfo>.size)
        return getsockopt(descriptor, SOL_L2CAP, L2CAP_CONNINFO, &information, &length) == 0
            ? information.hci_handle : nil
    }
}

///     0  1  level; 2 is medium: encrypted, with or without a user's confirmation
///     1  1  key size in bytes; 0 when there is none
private let mediumSecurity = UInt16(BT_SECURITY_MEDIUM).littleEndian

extension PHY {
    /// The PHY of a mask such as `BT_PHY` gives; nil unless it has exactly one to send with.
    init?(sendingWith mask: UInt32) {
        switch Int32(bitPattern: mask) & (BT_PHY_LE_1M_TX | BT_PHY_LE_2M_TX | BT_PHY_LE_CODED_TX) {
        case BT_PHY_LE_1M_TX: self = .le1M
        case BT_PHY_LE_2M_TX: self = .le2M
        case BT_PHY_LE_CODED_TX: self = .leCoded
        default: return nil
        }
    }
}

extension PacketSocket {
    fileprivate func option<Value: FixedWidthInteger>(_ name: Int32, as type: Value.Type) -> Value? {
        withDescriptor { SocketOption.get($0, bluetooth_level, name, as: type) }
    }
}

/// Makes a system call with the address of a socket and its size.
func withAddress<Address, Result>(
    _ address: inout Address, _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
}

/// Options of a socket whose values are plain bytes.
enum SocketOption {
    /// The value; nil when the kernel does not provide it, with the reason in `errno`.
    static func get<Value: FixedWidthInteger>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, as type: Value.Type
    ) -> Value? {
        var value = Value.zero
        var length = socklen_t(MemoryLayout<Value>.size)
        return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : nil
    }

    /// Sets the value; returns the error number, or 0.
    static func set<Value: FixedWidthInteger>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value
    ) -> Int32 {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size)) == 0
            ? 0 : errno
    }
}
