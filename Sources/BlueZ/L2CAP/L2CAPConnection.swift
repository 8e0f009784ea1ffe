import BluetoothTypes
import CBluez
import Glibc
import PacketSockets
import Timing

/// The attribute protocol's fixed channel over an L2CAP socket (kernel `net/bluetooth/l2cap_sock.c`).
enum AttributeChannel {
    /// L2CAP's fixed channel for attributes (Vol 3, Part A, 2.1).
    private static let fixedChannel: UInt16 = 4
    /// What the kernel queues for us: about four packets of 247 bytes, so that "sent" is close to "on the
    /// air" and pacing is honest. Its default would be more than a hundred.
    private static let queueBytes: Int32 = 4096

    /// Connects from `adapter` to `peer`, within `limit`.
    static func connect(
        from adapter: DeviceAddress, to peer: DeviceAddress, within limit: Duration, by time: Timekeeper,
        readiness: any DescriptorReadiness
    ) async throws(ConnectFailure) -> PacketSocket {
        let descriptor = Glibc.socket(bluetooth_family, bluetooth_packet_socket_type, BTPROTO_L2CAP)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        let channel: PacketSocket
        do throws(SocketError) {
            channel = try PacketSocket(adopting: descriptor, readiness: readiness)
        } catch {
            throw .system(error.call, error.errno)
        }
        var bytes = queueBytes
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        // Bound to the adapter's address: with an any-address the kernel may choose another adapter. CID and
        // PSM must not both be set.
        guard call(descriptor, adapter, bind) == 0 else { throw ConnectFailure(errno, in: "bind") }
        guard call(descriptor, peer, Glibc.connect) != 0 else { return channel }
        guard errno == EINPROGRESS else { throw ConnectFailure(errno) }
        let deadline = time.now + limit
        repeat {
            try await awaitWritable(descriptor, within: max(.zero, deadline - time.now), by: time, readiness)
            let code = pendingError(of: descriptor)
            guard code == 0 else { throw ConnectFailure(code) }
            // Waiting may end early; only a socket with a peer is connected.
        } while !isConnected(descriptor)
        return channel
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

    private static func pendingError(of descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    private static func isConnected(_ descriptor: Int32) -> Bool {
        var place = sockaddr_l2()
        var length = socklen_t(MemoryLayout<sockaddr_l2>.size)
        return withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }

    private static func call(
        _ descriptor: Int32, _ address: DeviceAddress,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var place = sockaddr_l2()
        place.l2_family = sa_family_t(bluetooth_family)
        place.l2_cid = fixedChannel.littleEndian
        place.l2_bdaddr_type = UInt8(address.kind == .public ? BDADDR_LE_PUBLIC : BDADDR_LE_RANDOM)
        withUnsafeMutableBytes(of: &place.l2_bdaddr) { $0.copyBytes(from: address.bytes.reversed()) }
        return withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_l2>.size))
            }
        }
    }
}

/// Why a connection did not come about.
enum ConnectFailure: Error, Equatable, Sendable {
    case timedOut
    case cancelled
    /// Another channel to this device is open, whoever holds it, or the controller is busy connecting.
    case busy
    /// The device did not answer, or hung up at once.
    case refused
    /// There is no adapter, or it is off.
    case adapterDown
    case system(String, Int32)

    init(_ code: Int32, in call: String = "connect") {
        self =
            switch code {
            case EBUSY, EALREADY: .busy
            case ECONNREFUSED, ETIMEDOUT, ECONNRESET, EHOSTDOWN, ECONNABORTED: .refused
            case EHOSTUNREACH, ENODEV, ENETDOWN, EADDRNOTAVAIL: .adapterDown
            default: .system(call, code)
            }
    }

    /// Whether another attempt deserves its time.
    var deservesRetry: Bool { self == .busy || self == .refused }
}
