/// When packets of one direction arrive: they wait for a connection event and share its length.
///
/// An attribute packet travels in as many data packets as it needs, and an event may end between two of them. A lost
/// data packet is sent again and costs its air time. If the peer did not hear it at all, there is no response and the
/// event is over; a damaged packet is answered, and only a second one in a row ends the event (Vol 6, Part B, 4.5.6).
package struct ConnectionEvents: Sendable {
    package let model: LinkModel
    /// The number of the event that carried the last packet, from 0.
    package private(set) var event = 0
    private var used = Duration.zero
    private var exchanges = 0
    private var damagedInRow = 0
    private var isClosed = false
    private var packetLoss: PacketLoss

    package var lastArrival: Duration { model.interval * event + used }

    /// Events of `model`; `direction` makes the losses of the two directions independent.
    package init(_ model: LinkModel, direction: UInt64 = 0) {
        self.model = model
        packetLoss = PacketLoss(seed: model.seed &+ direction &* 0x9E37_79B9)
    }

    /// When a packet of `count` bytes that is ready at `now` arrives.
    package mutating func arrival(of count: Int, readyAt now: Duration) -> Duration {
        if now > lastArrival { begin(intervals(in: now)) }
        var rest = count + 4
        while rest > 0 {
            let octets = min(rest, model.packetOctets)
            if exchange(octets) { rest -= octets }
        }
        return lastArrival
    }

    /// Sends one data packet in the next event with enough time left; returns whether it arrived.
    private mutating func exchange(_ octets: Int) -> Bool {
        let cost = model.exchange(octets: octets)
        let isFull = used + cost > model.eventLength || exchanges >= model.packetsPerEvent ?? .max
        // A packet longer than an interval uses up the events that it runs into.
        if isClosed || used > .zero && isFull { begin(event + max(1, intervals(in: used))) }
        used += cost
        exchanges += 1
        switch packetLoss.outcome(model.loss) {
        case .arrives:
            damagedInRow = 0
            return true
        case .damaged:
            damagedInRow += 1
            isClosed = damagedInRow > 1
        case .unheard: isClosed = true
        }
        return false
    }

    private mutating func begin(_ event: Int) {
        self.event = event
        (used, exchanges, damagedInRow, isClosed) = (.zero, 0, 0, false)
    }

    /// How many intervals cover `length`, exactly: a floating-point quotient could miss the event that begins now.
    private func intervals(in length: Duration) -> Int {
        let (whole, rest) = length.attoseconds.quotientAndRemainder(dividingBy: model.interval.attoseconds)
        return Int(clamping: whole) + (rest > 0 ? 1 : 0)
    }
}

/// Decides from a seed which packets a lossy link loses.
struct PacketLoss: Sendable {
    enum PacketOutcome: Sendable { case arrives, damaged, unheard }

    /// The highest loss with which a link still works.
    private static let most = 0.95

    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    /// Half of the lost packets are received damaged.
    mutating func outcome(_ loss: Double) -> PacketOutcome {
        guard loss > 0 else { return .arrives }
        let loss = min(loss, Self.most)
        let draw = Double(numbers.next() >> 11) * 0x1p-53
        guard draw < loss else { return .arrives }
        return draw < loss / 2 ? .damaged : .unheard
    }
}

/// Pseudorandom numbers from a seed (SplitMix64, Steele and others 2014).
struct SplitMix64: Sendable {
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= Self.step
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
