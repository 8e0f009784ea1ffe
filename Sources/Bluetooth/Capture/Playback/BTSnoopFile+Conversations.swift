public import Bytes

extension BTSnoopFile {
    /// The packets of each link, in the order in which the links began.
    ///
    /// Recordings of other programs are accepted too: with fragmented data, and with links that were established
    /// before the recording began.
    public func conversations() throws(ByteError) -> [RecordedConversation] {
        var collector = ConversationCollector()
        for record in records { try collector.add(record) }
        return collector.conversations
    }
}

/// Sorts HCI packets by link, and joins fragments.
private struct ConversationCollector {
    /// One direction of one link.
    private struct Way: Hashable {
        let handle: UInt16
        let isReceived: Bool
    }

    private(set) var conversations: [RecordedConversation] = []
    private var open: [UInt16: Int] = [:]
    /// L2CAP packets of which a part has arrived.
    private var partial: [Way: [UInt8]] = [:]

    mutating func add(_ record: BTSnoopRecord) throws(ByteError) {
        var reader = ByteReader(record.packet[...], startingAt: record.place)
        // The recorder has truncated the packet, so it cannot be used.
        guard record.packet.count == Int(record.originalLength) else { return }
        switch try HCIPacket(parsing: &reader) {
        case .connected(let opening):
            forget(opening.handle)
            open[opening.handle] = conversations.count
            conversations.append(RecordedConversation(peer: opening.peer))
        case .disconnected(let handle, let reason):
            if let index = open[handle] { conversations[index].endReason = reason }
            forget(handle)
        case .data(let handle, let fragment, let data):
            try add(data, fragment, on: Way(handle: handle, isReceived: record.isReceived), record)
        case .encrypted, .other: break
        }
    }

    private mutating func forget(_ handle: UInt16) {
        open[handle] = nil
        partial[Way(handle: handle, isReceived: false)] = nil
        partial[Way(handle: handle, isReceived: true)] = nil
    }

    private mutating func add(
        _ data: [UInt8], _ fragment: ACLFragment, on way: Way, _ record: BTSnoopRecord
    ) throws(ByteError) {
        if fragment == .continuing {
            // The first fragment may have been sent before the recording began.
            guard partial[way] != nil else { return }
            partial[way]?.append(contentsOf: data)
        } else {
            partial[way] = data
        }
        guard let whole = partial[way], whole.count >= 4 else { return }
        // The L2CAP header, see LinkRecorder.
        var reader = ByteReader(whole)
        let length = Int(try reader.integer("L2CAP length", as: UInt16.self))
        let channel: UInt16 = try reader.integer("L2CAP channel")
        guard reader.remaining >= length else { return }
        partial[way] = nil
        guard reader.remaining == length else {
            throw ByteError(
                offset: record.place, field: "L2CAP packet",
                reason: .trailing(count: reader.remaining - length))
        }
        guard channel == LinkRecorder.attributeChannel else { return }
        let index = open[way.handle] ?? conversations.count
        if open[way.handle] == nil {
            open[way.handle] = index
            conversations.append(RecordedConversation())
        }
        conversations[index].packets.append(
            RecordedConversation.Packet(
                direction: way.isReceived ? .received : .sent, timestamp: record.timestamp,
                bytes: Array(reader.remainder())))
    }
}

/// The recorded attribute packets of one link.
public struct RecordedConversation: Equatable, Sendable {
    public struct Packet: Equatable, Sendable {
        public let direction: Direction
        /// Microseconds since the year 0.
        public var timestamp: UInt64 = 0
        /// Opcode and parameters.
        public let bytes: [UInt8]
    }

    /// The peer; nil if the recording began after the link.
    public var peer: DeviceAddress?
    public var packets: [Packet] = []
    /// Why the link ended (Vol 1, Part F, 1.3); nil if the recording ended before it.
    public var endReason: UInt8?
}
