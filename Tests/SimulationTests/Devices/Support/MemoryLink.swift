import Bluetooth
import Synchronization

/// One end of a link in memory: it receives what the other end sends.
final class MemoryLink: Bearer {
    private let incoming: PacketPipe
    private let outgoing: PacketPipe

    private init(_ incoming: PacketPipe, _ outgoing: PacketPipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    static func pair() -> (MemoryLink, MemoryLink) {
        let (one, other) = (PacketPipe(), PacketPipe())
        return (MemoryLink(one, other), MemoryLink(other, one))
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        guard outgoing.put(packet) else { throw .closed }
    }

    func receive() async throws(BearerError) -> [UInt8]? { await incoming.take() }

    func close() {
        incoming.close()
        outgoing.close()
    }
}

/// Packets on their way in one direction; those under way still arrive after the end.
final class PacketPipe: Sendable {
    private struct State {
        var packets: [[UInt8]] = []
        var waiting: CheckedContinuation<[UInt8]?, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    func put(_ packet: [UInt8]) -> Bool {
        let (isOpen, waiting) = state.withLock { state in
            guard !state.isClosed else { return (false, nil as CheckedContinuation<[UInt8]?, Never>?) }
            guard let waiting = state.waiting else {
                state.packets.append(packet)
                return (true, nil)
            }
            state.waiting = nil
            return (true, waiting)
        }
        waiting?.resume(returning: packet)
        return isOpen
    }

    func take() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: [UInt8]?? = state.withLock { state in
                    if !state.packets.isEmpty { return .some(state.packets.removeFirst()) }
                    if state.isClosed { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            close()
        }
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
