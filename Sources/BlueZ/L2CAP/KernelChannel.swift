public import Bluetooth
import Glibc
import Synchronization

/// A channel over one of the kernel's L2CAP sockets: attributes, or credit-based.
///
/// Its link ends 2 s after the last channel to the peer, of any program, has closed.
public final class KernelChannel: Bearer {
    package let peer: DeviceAddress
    package let kind: LinkChannel
    /// The longest packet that `send` accepts; nil for attributes, where it is the exchanged MTU.
    package let maximumPacket: Int?
    let options: ChannelOptions
    /// Settled when the requests for the new link are done or refused.
    let tuned = OneShot<Void>()

    private let socket: PacketSocket
    private let ending: Mutex<(@Sendable () -> Void)?>
    /// Held while the link is being encrypted, during which nothing can be sent.
    private let encrypting = FIFOLock()
    private let isEncrypting = Atomic(false)

    /// A channel on the connected `socket`; `onClose` is called once, when the channel is closed or released.
    init(
        to peer: DeviceAddress, _ kind: LinkChannel, on socket: PacketSocket, options: ChannelOptions,
        onClose: @escaping @Sendable () -> Void = {}
    ) {
        (self.peer, self.kind, self.socket, self.options) = (peer, kind, socket, options)
        ending = Mutex(onClose)
        let most = L2CAPConnection.maximumPacket
        maximumPacket = kind == .attributes ? nil : min(options.sendMTU() ?? most, most)
    }

    deinit { close() }

    /// Hands one packet to the kernel, waiting while its queue is full or the link is being encrypted. A packet that
    /// is longer than `maximumPacket` is refused with `EMSGSIZE`.
    public func send(_ packet: [UInt8]) async throws(BearerError) {
        if let maximumPacket, packet.count > maximumPacket { throw .system(call: "send", errno: EMSGSIZE) }
        if isEncrypting.load(ordering: .acquiring) { try await encryptionEnd() }
        do throws(BearerError) { try await socket.send(packet) } catch {
            // The kernel counts the socket as not connected from the moment encryption begins.
            guard error == .closed, isEncrypting.load(ordering: .acquiring) else { throw error }
            try await encryptionEnd()
            try await socket.send(packet)
        }
    }

    /// Hands several packets to the kernel, with as few system calls as its queue allows.
    public func send(
        _ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8]
    ) async throws(BearerError) {
        guard maximumPacket == nil, !isEncrypting.load(ordering: .acquiring) else {
            for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length) {
                try await send(header + bytes[start..<min(start + length, bytes.endIndex)])
            }
            return
        }
        try await socket.send(bytes, inPacketsOf: length, after: header)
    }

    public func receive() async throws(BearerError) -> [UInt8]? { try await socket.receive() }

    public func close() {
        socket.close()
        let notice = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        notice?()
    }

    private func encryptionEnd() async throws(BearerError) {
        do { try await encrypting.acquire() } catch { throw .cancelled }
        encrypting.release()
    }

    /// Runs `body`, which encrypts the link, while nothing is sent.
    func whileEncrypting<Value: Sendable>(
        _ body: () async throws(AdapterError) -> Value
    ) async throws(AdapterError) -> Value {
        do { try await encrypting.acquire() } catch { throw .cancelled }
        isEncrypting.store(true, ordering: .releasing)
        defer {
            isEncrypting.store(false, ordering: .releasing)
            encrypting.release()
        }
        return try await body()
    }

    /// Waits until the link is encrypted; false if it ends instead, or the task is cancelled.
    func encryption() async -> Bool {
        while !Task.isCancelled {
            switch options.encryption() {
            case .done: return true
            case .ended: return false
            case .pending: await options.encryptionNews()
            }
        }
        return false
    }
}
