/// What a beacon still has to send over a link, in the order in which it is due.
struct DeliverySchedule: Sendable {
    /// Something that happens to the link.
    enum Delivery: Sendable {
        case send([UInt8])
        case close
    }

    private var waiting: [(due: Duration, delivery: Delivery)] = []
    private var held: [[UInt8]] = []  // notifications that wait for the next one to pass

    mutating func add(_ delivery: Delivery, at due: Duration) {
        let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, delivery), at: place)
    }

    /// Ends the link, unless that is due before anyway.
    mutating func close(at due: Duration) {
        let closes = waiting.contains {
            if case .close = $0.delivery { $0.due <= due } else { false }
        }
        if !closes { add(.close, at: due) }
    }

    /// Keeps a notification until the next is added.
    mutating func hold(_ packet: [UInt8]) { held.append(packet) }

    /// Adds a notification, and after it those that waited for it.
    mutating func addNotification(_ packet: [UInt8], copies: Int, at due: Duration) {
        for _ in 0..<copies { add(.send(packet), at: due) }
        for packet in held { add(.send(packet), at: due) }
        held = []
    }

    /// What is due by `now`.
    mutating func take(by now: Duration) -> [Delivery] {
        let count = waiting.prefix { $0.due <= now }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.delivery)
    }

    /// Whether a response of the Attribute Protocol has yet to be sent, which is no notification and no indication.
    var holdsResponse: Bool {
        waiting.contains {
            if case .send(let packet) = $0.delivery {
                packet.first != 0x1B && packet.first != 0x1D
            } else {
                false
            }
        }
    }

    /// When something will be due next, if anything will.
    var next: Duration? { waiting.first?.due }
}
