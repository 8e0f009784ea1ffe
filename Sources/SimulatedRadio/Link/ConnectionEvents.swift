/// When packets of one direction arrive: they wait for a connection event, and share its length.
///
/// An attribute packet travels in as many data packets as it takes, and an event may end between two of them.
/// A data packet that is lost is sent again and costs its air time. Where the peer did not hear it at all it
/// does not answer, and the event is over; one that came damaged is answered, and only a second one in a row
/// ends the event (Vol 6, Part B, 4.5.6).
package struct ConnectionEvents: Sendable {
    /// The air that they are of.
    package let model: LinkModel
    /// The event that carried the last packet, from 0.
    package private(set) var event = 0
    private var used = Duration.zero
    private var exchanges = 0
    private var damagedInRow = 0
    private var isClosed = false
    private var packetLoss: PacketLoss

    /// When the last packet arrived.
    package var lastArrival: Duration { model.interval * event + used }

    /// Events of `model`; `direction` keeps the losses of two directions apart.
    package init(_ model: LinkModel, direction: UInt64 = 0) {
        self.model = model
        packetLoss = PacketLoss(seed: model.seed &+ direction &* 0x9E37_79B9)
    }

    /// When a packet of `count` bytes that is ready at `now` has arrived.
    package mutating func arrival(of count: Int, readyAt now: Duration) -> Duration {
        if now > lastArrival { begin(intervals(in: now)) }
        var rest = count + 4
        while rest > 0 {
            let octets = min(rest, model.dataLength)
            if exchange(octets) { rest -= octets }
        }
        return lastArrival
    }

    /// Sends one data packet in the next event that has room; whether it arrived.
    private mutating func exchange(_ octets: Int) -> Bool {
        let cost = model.exchange(octets: octets)
        let isFull = used + cost > model.eventLength || exchanges >= model.packetsPerEvent ?? .max
        // A packet longer than an interval uses up the events that it runs into.
        if isClosed || used > .zero && isFull { begin(event + max(1, intervals(in: used))) }
        used += cost
        exchanges += 1
        switch packetLoss.fate(model.loss) {
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
        used = .zero
        exchanges = 0
        damagedInRow = 0
        isClosed = false
    }

    /// How many intervals it takes to cover `length`, exactly: a quotient of floating-point numbers would
    /// now and then miss the event that begins this very moment.
    private func intervals(in length: Duration) -> Int {
        let (whole, rest) = length.attoseconds.quotientAndRemainder(dividingBy: model.interval.attoseconds)
        return Int(clamping: whole) + (rest > 0 ? 1 : 0)
    }
}
