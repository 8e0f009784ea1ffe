import Synchronization

/// A link that replays a peer's recorded packets to a client that repeats its own.
///
/// A recorded packet arrives when everything that was sent before it has been sent again; time plays no role.
/// The first packet that differs from the recording ends the link, and is kept as `deviation`.
public final class ReplayedLink: Bearer {
    /// Where a client deviated from the recording.
    public struct Deviation: Equatable, Sendable {
        /// The index of its packet, counted from 0.
        public let index: Int
        /// The recorded packet; nil after the end of the recording.
        public let expected: [UInt8]?
        /// The packet that was sent instead.
        public let found: [UInt8]
    }

    private struct State: Sendable {
        var sent = 0
        var delivered = 0
        var isClosed = false
        var deviation: Deviation?
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func wake() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    /// The outcome of looking for the next packet.
    private enum Found {
        case packet([UInt8])
        case end
        case closed
        case nothingYet
    }

    private let outgoing: [[UInt8]]
    private let incoming: [(bytes: [UInt8], after: Int)]
    private let endsByItself: Bool
    private let state = Mutex(State())

    /// The far end of `conversation`. A link that this side ended stays open after the last packet.
    public init(_ conversation: RecordedConversation) {
        var outgoing: [[UInt8]] = []
        var incoming: [(bytes: [UInt8], after: Int)] = []
        for packet in conversation.packets {
            switch packet.direction {
            case .sent: outgoing.append(packet.bytes)
            case .received: incoming.append((packet.bytes, outgoing.count))
            }
        }
        self.outgoing = outgoing
        self.incoming = incoming
        endsByItself = conversation.endReason != LinkRecorder.Ending.byUs.rawValue
    }

    /// Where the client deviated from the recording; nil while it has not.
    public var deviation: Deviation? { state.withLock { $0.deviation } }

    /// Whether every recorded packet has been sent and received again.
    public var isFinished: Bool {
        state.withLock { $0.sent == outgoing.count && $0.delivered == incoming.count }
    }

    /// Accepts the packet if it is the recorded one.
    public func send(_ packet: [UInt8]) async throws(BearerError) {
        guard !Task.isCancelled else { throw .cancelled }
        let (isRight, waiters) = state.withLock { state in
            guard !state.isClosed else { return (false, [CheckedContinuation<Void, Never>]()) }
            let expected = outgoing.indices.contains(state.sent) ? outgoing[state.sent] : nil
            let isRight = expected == packet
            if isRight {
                state.sent += 1
            } else {
                state.deviation = Deviation(index: state.sent, expected: expected, found: packet)
                state.isClosed = true
            }
            return (isRight, state.wake())
        }
        for waiter in waiters { waiter.resume() }
        guard isRight else { throw .closed }
    }

    /// The next recorded packet, once everything before it has been sent; nil at the end.
    public func receive() async throws(BearerError) -> [UInt8]? {
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            switch state.withLock({ next(&$0) }) {
            case .packet(let bytes): return bytes
            case .end: return nil
            case .closed: throw .closed
            case .nothingYet: await change()
            }
        }
    }

    /// Ends the link.
    public func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.wake()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func next(_ state: inout State) -> Found {
        if state.isClosed { return .closed }
        guard incoming.indices.contains(state.delivered) else {
            return endsByItself && state.sent == outgoing.count ? .end : .nothingYet
        }
        let packet = incoming[state.delivered]
        guard packet.after <= state.sent else { return .nothingYet }
        state.delivered += 1
        return .packet(packet.bytes)
    }

    /// Waits until a packet was sent or the link was closed. The lock ensures that no change is missed between
    /// the check and the wait.
    private func change() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isReady = state.withLock { state in
                    var copy = state
                    if case .nothingYet = next(&copy), !Task.isCancelled {
                        state.waiters.append(waiter)
                        return false
                    }
                    return true
                }
                if isReady { waiter.resume() }
            }
        } onCancel: {
            for waiter in state.withLock({ $0.wake() }) { waiter.resume() }
        }
    }
}
