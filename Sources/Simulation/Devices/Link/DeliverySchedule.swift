struct DeliverySchedule: Sendable {
    enum Delivery: Sendable {
        case send([UInt8])
        case close
    }

    private var waiting: [(due: Duration, delivery: Delivery)] = []
    private var held: [[UInt8]] = []  // notifications to send after the next one

    mutating func add(_ delivery: Delivery, at due: Duration) {
        let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, delivery), at: place)
    }

    /// Ends the link at `due`, unless it is to end earlier anyway.
    mutating func close(at due: Duration) {
        let closes = waiting.contains { if case .close = $0.delivery { $0.due <= due } else { false } }
        if !closes { add(.close, at: due) }
    }

    mutating func hold(_ packet: [UInt8]) { held.append(packet) }

    mutating func addNotification(_ packet: [UInt8], copies: Int, at due: Duration) {
        for _ in 0..<copies { add(.send(packet), at: due) }
        for packet in held { add(.send(packet), at: due) }
        held = []
    }

    mutating func take(by now: Duration) -> [Delivery] {
        let count = waiting.prefix { $0.due <= now }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.delivery)
    }

    /// Whether a response of the Attribute Protocol is still pending; notifications and indications do not count.
    var holdsResponse: Bool {
        for case .send(let packet) in waiting.map(\.delivery) {
            if packet.first != 0x1B, packet.first != 0x1D { return true }
        }
        return false
    }

    var next: Duration? { waiting.first?.due }
}

struct BeaconLink: Sendable {
    let number: Int
    var server: AttributeServer
    var schedule = DeliverySchedule()
    var isSilent = false
    var isCut = false
    /// The time for which a task has claimed the next delivery; nil if none has.
    var awaited: Duration?
    let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    var endChannel: (@Sendable () -> Void)?

    mutating func withServer<Value>(_ body: (inout AttributeServer) -> Value) -> Value { body(&server) }

    /// Ends the link without sending pending responses; what the device has started continues.
    mutating func cut() {
        schedule = DeliverySchedule()
        isCut = true
        outgoing.yield(.close)
        closeChannel()
    }

    mutating func closeChannel() {
        endChannel?()
        endChannel = nil
    }
}
