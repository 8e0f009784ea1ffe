import Bluetooth
import CBluez
import Glibc

/// Connects L2CAP sockets (kernel `net/bluetooth/l2cap_sock.c`).
enum L2CAPConnection {
    /// L2CAP's fixed channel for attributes (Vol 3, Part A, 2.1).
    private static let attributeChannel: UInt16 = 4
    /// The longest packet to send on a credit-based channel, in bytes, even if the peer accepts longer ones.
    static let maximumPacket = 1024

    /// Connects `kind` from `adapter` to `peer`, within `limit`. An established link is reused, with a new channel.
    static func connect(
        _ kind: LinkChannel, from adapter: DeviceAddress, to peer: DeviceAddress, within limit: Duration,
        by time: Timekeeper, readiness: any DescriptorReadiness
    ) async throws(ConnectFailure) -> PacketSocket {
        let descriptor = Glibc.socket(bluetooth_family, bluetooth_packet_socket_type, BTPROTO_L2CAP)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        let channel: PacketSocket
        do throws(SocketError) {
            channel = try PacketSocket(adopting: descriptor, readiness: readiness)
        } catch {
            throw .system(error.call, error.errno)
        }
        _ = SocketOption.set(descriptor, SOL_SOCKET, SO_SNDBUF, to: queueBytes(of: kind))
        // Bound to the adapter's address: without one, the kernel may choose another adapter. A credit-based
        // channel is bound without a PSM, since we would offer that PSM.
        guard call(descriptor, adapter, kind == .attributes ? kind : nil, bind) == 0 else {
            throw ConnectFailure(errno, in: "bind")
        }
        if case .creditBased = kind {
            // Set after the bind: the kernel answers EINVAL until the socket is bound to an LE address.
            _ = SocketOption.set(
                descriptor, bluetooth_level, BT_RCVMTU, to: UInt16(clamping: PacketSocket.maximumPacket))
        }
        guard call(descriptor, peer, kind, Glibc.connect) != 0 else { return channel }
        guard errno == EINPROGRESS else { throw ConnectFailure(errno) }
        let deadline = time.now + limit
        repeat {
            try await awaitWritable(descriptor, within: max(.zero, deadline - time.now), by: time, readiness)
            let code = SocketOption.get(descriptor, SOL_SOCKET, SO_ERROR, as: Int32.self) ?? errno
            guard code == 0 else { throw ConnectFailure(code) }
            // Waiting may end early; only a socket with a peer is connected.
        } while !isConnected(descriptor)
        return channel
    }

    /// The size of the kernel's send queue, in bytes. The kernel doubles it, and counts about 2 kB for a packet of 247
    /// bytes.
    ///
    /// For attributes, the queue takes 4 packets with 4096, and more than a hundred with the default: packets then
    /// count as sent 30 kB ahead of the air. A credit-based packet of 1024 bytes is sent in up to 45 fragments (23
    /// bytes each, if the controller has buffers of 27), which count about 34 kB and have to fit at once: a socket with
    /// half of its queue free reports that it is writable, but takes no part of a packet that needs more.
    static func queueBytes(of kind: LinkChannel) -> Int32 {
        switch kind {
        case .attributes: 4096
        case .creditBased: 65536
        }
    }

    private static func awaitWritable(
        _ descriptor: Int32, within limit: Duration, by time: Timekeeper,
        _ readiness: any DescriptorReadiness
    ) async throws(ConnectFailure) {
        let isReady: Void?
        do {
            isReady = try await time.within(limit) { await readiness.wait(for: .writable, of: descriptor) }
        } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        guard isReady != nil else { throw .timedOut }
    }

    private static func isConnected(_ descriptor: Int32) -> Bool {
        var socketAddress = sockaddr_l2()
        return withAddress(&socketAddress) { getpeername(descriptor, $0, &$1) == 0 }
    }

    /// Calls `body` with the socket address of `kind` at `address`; CID and PSM must not both be set.
    static func call(
        _ descriptor: Int32, _ address: DeviceAddress, _ kind: LinkChannel?,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var socketAddress = sockaddr_l2()
        socketAddress.l2_family = sa_family_t(bluetooth_family)
        switch kind {
        case .attributes: socketAddress.l2_cid = attributeChannel.littleEndian
        case .creditBased(let psm): socketAddress.l2_psm = psm.littleEndian
        case nil: break
        }
        socketAddress.l2_bdaddr_type = UInt8(address.kind == .public ? BDADDR_LE_PUBLIC : BDADDR_LE_RANDOM)
        withUnsafeMutableBytes(of: &socketAddress.l2_bdaddr) { $0.copyBytes(from: address.bytes.reversed()) }
        return withAddress(&socketAddress) { body(descriptor, $0, $1) }
    }
}

enum ConnectFailure: Error, Equatable, Sendable {
    case timedOut, cancelled
    /// A channel to this device is open in some program, or the controller is busy connecting.
    case busy
    /// The device did not answer, disconnected at once, or refuses such a channel.
    case refused
    /// The controller, or the kernel, has as many links as it supports: Connection Limit Exceeded (0x09), which
    /// the kernel maps to `EMLINK` (`bt_to_errno`).
    case tooManyLinks
    case adapterDown
    case system(String, Int32)

    init(_ code: Int32, in call: String = "connect") {
        self =
            switch code {
            case EBUSY, EALREADY: .busy
            case EMLINK: .tooManyLinks
            case ECONNREFUSED, ETIMEDOUT, ECONNRESET, EHOSTDOWN, ECONNABORTED: .refused
            case EHOSTUNREACH, ENODEV, ENETDOWN, EADDRNOTAVAIL: .adapterDown
            default: .system(call, code)
            }
    }

    /// Whether another attempt may succeed. An adapter that is down may be plugged in again.
    var deservesRetry: Bool { self == .busy || self == .refused || self == .adapterDown }
}

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
