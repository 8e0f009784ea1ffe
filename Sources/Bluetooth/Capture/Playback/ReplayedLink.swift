/// A link that replays a peer's recorded packets to a client, which has to repeat the recorded client's packets.
///
/// A recorded packet arrives when everything that was sent before it has been sent again; time plays no role.
/// The first packet that differs from the recording ends the link, and is kept as `deviation`.
public final class ReplayedLink: Bearer {
    /// Where a client deviated from the recording.
    public struct Deviation: Equatable, Sendable {
        /// The index of the deviating packet among those that the client sent, counted from 0.
        public let index: Int
        /// The recorded packet; nil after the end of the recording.
        public let expected: [UInt8]?
        public let found: [UInt8]
    }

    private struct State: Sendable {
        var sent = 0
        var delivered = 0
        var isClosed = false
        var deviation: Deviation?
    }

    private enum Found: Sendable {
        case packet([UInt8])
        case end, closed
    }

    private let outgoing: [[UInt8]]
    private let incoming: [(bytes: [UInt8], after: Int)]
    private let endsByItself: Bool
    private let state = Watched(State())

    /// The far end of `conversation`. It ends after the last packet, unless the recorded client ended the link.
    public init(_ conversation: RecordedConversation) {
        var outgoing: [[UInt8]] = []
        var incoming: [(bytes: [UInt8], after: Int)] = []
        for packet in conversation.packets {
            switch packet.direction {
            case .sent: outgoing.append(packet.bytes)
            case .received: incoming.append((packet.bytes, outgoing.count))
            }
        }
        (self.outgoing, self.incoming) = (outgoing, incoming)
        endsByItself = conversation.endReason != LinkRecorder.Ending.byUs.rawValue
    }

    public var deviation: Deviation? { state.value.deviation }

    public var isFinished: Bool {
        let state = state.value
        return state.sent == outgoing.count && state.delivered == incoming.count
    }

    /// Accepts the packet if it is the recorded one.
    public func send(_ packet: [UInt8]) async throws(BearerError) {
        guard !Task.isCancelled else { throw .cancelled }
        let isRight = state.change { state in
            guard !state.isClosed else { return false }
            let expected = outgoing.indices.contains(state.sent) ? outgoing[state.sent] : nil
            guard expected == packet else {
                state.deviation = Deviation(index: state.sent, expected: expected, found: packet)
                state.isClosed = true
                return false
            }
            state.sent += 1
            return true
        }
        guard isRight else { throw .closed }
    }

    public func receive() async throws(BearerError) -> [UInt8]? {
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            do { _ = try await state.value { next(in: $0) != nil } } catch { throw .cancelled }
            let found = state.change { state in
                let found = next(in: state)
                if case .packet? = found { state.delivered += 1 }
                return found
            }
            switch found {
            case .packet(let bytes): return bytes
            case .end: return nil
            case .closed: throw .closed
            case nil: continue
            }
        }
    }

    public func close() { state.change { $0.isClosed = true } }

    /// What arrives next; nil if the client has to act first: to send a packet, or to end the link.
    private func next(in state: State) -> Found? {
        if state.isClosed { return .closed }
        guard incoming.indices.contains(state.delivered) else {
            return endsByItself && state.sent == outgoing.count ? .end : nil
        }
        let packet = incoming[state.delivered]
        return packet.after <= state.sent ? .packet(packet.bytes) : nil
    }
}
