/// When packets of one direction arrive: they wait for a connection event, and share its length.
struct ConnectionEvents: Sendable {
    let model: LinkModel
    private var event = 0
    private var used = Duration.zero

    init(_ model: LinkModel) { self.model = model }

    /// When a packet of `count` bytes that is ready at `now` has arrived.
    mutating func arrival(of count: Int, readyAt now: Duration) -> Duration {
        if now > model.interval * event + used {
            event = Int((now / model.interval).rounded(.up))
            used = .zero
        }
        let cost = model.exchange(packet: count)
        if used > .zero, used + cost > model.eventLength {
            event += 1
            used = .zero
        }
        used += cost
        return model.interval * event + used
    }
}
