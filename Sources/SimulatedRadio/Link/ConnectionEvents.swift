/// When packets of one direction arrive: they wait for a connection event, and share its length.
struct ConnectionEvents: Sendable {
    let model: LinkModel
    private var event = 0
    private var used = Duration.zero

    /// When the last packet arrived.
    var lastArrival: Duration { model.interval * event + used }

    init(_ model: LinkModel) { self.model = model }

    /// When a packet of `count` bytes that is ready at `now` has arrived.
    mutating func arrival(of count: Int, readyAt now: Duration) -> Duration {
        if now > model.interval * event + used {
            event = intervals(in: now)
            used = .zero
        }
        let cost = model.exchange(packet: count)
        if used > .zero, used + cost > model.eventLength {
            // A packet longer than an interval uses up the events that it runs into.
            event += max(1, intervals(in: used))
            used = .zero
        }
        used += cost
        return model.interval * event + used
    }

    /// How many intervals it takes to cover `length`, exactly: a quotient of floating-point numbers would
    /// now and then miss the event that begins this very moment.
    private func intervals(in length: Duration) -> Int {
        let (whole, rest) = length.attoseconds.quotientAndRemainder(dividingBy: model.interval.attoseconds)
        return Int(clamping: whole) + (rest > 0 ? 1 : 0)
    }
}
