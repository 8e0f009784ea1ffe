import Bytes

/// What waits to be sent over the links, and the controller's buffers, which all links share (Vol 4, Part E, 4.1.1).
///
///     0  1  packet type: 0x02
///     1  2  handle, and in bits 12 and 13: 0 begins an L2CAP packet, 1 continues it
///     3  2  length
///     5  …  part of an L2CAP packet
struct LinkBuffers: Sendable {
    private struct Queue: Sendable {
        /// Parts of packets; `isLast` ends a packet.
        var parts: [(bytes: ArraySlice<UInt8>, isContinuation: Bool, isLast: Bool)] = []
        var next = 0
        /// Packets of attributes that are not yet with the controller.
        var waiting = 0
        /// Parts in the controller's buffers.
        var inFlight = 0

        var isEmpty: Bool { next == parts.count }
    }

    /// How many packets of a link may wait here: few, since these count as sent.
    static let mostWaiting = 4
    /// How many parts may wait before answers of ours are dropped. It limits a peer that keeps asking and acknowledges
    /// nothing.
    private static let mostAnswers = 32

    /// The longest part of a packet, in bytes, and how many parts fit the controller.
    private(set) var length = 27
    private(set) var count = 1
    private var queues: [UInt16: Queue] = [:]

    mutating func configure(length: Int, count: Int) {
        (self.length, self.count) = (max(length, 1), max(count, 1))
    }

    mutating func add(_ handle: UInt16) { queues[handle] = Queue() }

    /// Removes an ended link. The controller drops its packets for the link and frees those buffers (7.7.5).
    mutating func remove(_ handle: UInt16) { queues[handle] = nil }

    /// Whether the link takes another packet now.
    func hasRoom(_ handle: UInt16) -> Bool { queues[handle].map { $0.waiting < Self.mostWaiting } ?? false }

    /// Queues one L2CAP packet for `channel`. With `counts` false, as for answers of ours, it does not count as waiting.
    mutating func queue(_ payload: [UInt8], on channel: UInt16, of handle: UInt16, counts: Bool) {
        guard let queue = queues[handle], counts || queue.parts.count - queue.next < Self.mostAnswers else {
            return
        }
        let packet = UInt16(clamping: payload.count).bytes() + channel.bytes() + payload
        for start in stride(from: 0, to: packet.count, by: length) {
            let end = min(start + length, packet.count)
            queues[handle]?.parts.append((packet[start..<end], start > 0, counts && end == packet.count))
        }
        if counts { queues[handle]?.waiting += 1 }
    }

    /// The packets for which the controller has buffers now, and the links that have got room by that. The
    /// buffers are shared equally by the links that have something to send.
    mutating func flush() -> (packets: [[UInt8]], relieved: [UInt16]) {
        var packets: [[UInt8]] = []
        var relieved: [UInt16] = []
        var free = count - queues.values.reduce(0) { $0 + $1.inFlight }
        while free > 0 {
            let ready = queues.filter { !$0.value.isEmpty }
            guard
                let (handle, queue) = ready.min(by: {
                    ($0.value.inFlight, $0.key) < ($1.value.inFlight, $1.key)
                })
            else { break }
            let part = queue.parts[queue.next]
            packets.append(
                [0x02] + (handle | (part.isContinuation ? 0x1000 : 0)).bytes()
                    + UInt16(clamping: part.bytes.count).bytes()
                    + part.bytes)
            queues[handle]?.next += 1
            queues[handle]?.inFlight += 1
            free -= 1
            if queue.next + 1 == queue.parts.count {
                queues[handle]?.parts.removeAll(keepingCapacity: true)
                queues[handle]?.next = 0
            }
            if part.isLast {
                queues[handle]?.waiting -= 1
                relieved.append(handle)
            }
        }
        return (packets, relieved)
    }

    /// Notes that the controller has sent this many parts of the link; a number above `inFlight` counts as all.
    mutating func complete(_ parts: Int, of handle: UInt16) {
        guard let inFlight = queues[handle]?.inFlight else { return }
        queues[handle]?.inFlight = max(0, inFlight - parts)
    }
}

/// Joins the parts of L2CAP packets of one link (Vol 3, Part A, 7.2.1).
///
///     0  2  length n
///     2  2  channel
///     4  n  payload
struct PacketAssembly: Sendable {
    /// The longest payload, in bytes; an attribute packet has at most 517.
    static let mostPayload = 1024

    private var bytes: [UInt8] = []

    enum Outcome: Equatable, Sendable {
        case incomplete
        case packet(channel: UInt16, [UInt8])
        /// The packet's length is wrong, so it is unknown where the next packet begins.
        case broken
    }

    mutating func add(_ part: DataPacket) -> Outcome {
        guard let payload = part.payload, part.isContinuation != bytes.isEmpty else { return .broken }
        guard !payload.isEmpty else { return .incomplete }
        bytes += payload
        var reader = ByteReader(bytes)
        guard let length: UInt16 = try? reader.integer("length"),
            let channel: UInt16 = try? reader.integer("channel")
        else { return .incomplete }
        guard Int(length) <= Self.mostPayload, reader.remaining <= Int(length) else { return .broken }
        guard reader.remaining == Int(length) else { return .incomplete }
        bytes = []
        return .packet(channel: channel, Array(reader.remainder()))
    }
}
