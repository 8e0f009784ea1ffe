import Synchronization

/// The air of one link, which all of its channels share.
final class LinkAir: Sendable {
    private struct State {
        /// As it was at first.
        let first: LinkModel
        var model: LinkModel
        /// What the peripheral has asked for already.
        var changes = 0
        var toPeripheral: ConnectionEvents
        var toCentral: ConnectionEvents

        init(_ model: LinkModel) {
            (first, self.model) = (model, model)
            toPeripheral = ConnectionEvents(model)
            toCentral = ConnectionEvents(model, direction: 1)
        }

        /// Goes on with another model; what is under way arrives as it was to.
        mutating func go(on changed: LinkModel) {
            guard changed != model else { return }
            model = changed
            toPeripheral = ConnectionEvents(changed)
            toCentral = ConnectionEvents(changed, direction: 1)
        }
    }

    private let state: Mutex<State>
    private let begun: Duration

    /// The air of a link that begins at `begun`.
    init(_ model: LinkModel, begun: Duration) {
        state = Mutex(State(model))
        self.begun = begun
    }

    /// Time from one connection event to the next, at `now`.
    func interval(at now: Duration) -> Duration { caughtUp(to: now) { $0.model.interval } }

    /// Gives the link another interval, if it follows requests.
    func retune(_ interval: Duration, at now: Duration) {
        caughtUp(to: now) { $0.go(on: $0.first.asked(interval)) }
    }

    /// When a packet has arrived that leaves for the central at `now`.
    func arrivalAtCentral(of count: Int, at now: Duration) -> Duration {
        caughtUp(to: now) { $0.toCentral.arrival(of: count, readyAt: now) }
    }

    /// When a packet has arrived at the peripheral that was ready when `ready` says, by the events so far.
    func arrivalAtPeripheral(
        of count: Int, at now: Duration, readyAt ready: (ConnectionEvents) -> Duration
    ) -> Duration {
        caughtUp(to: now) { $0.toPeripheral.arrival(of: count, readyAt: ready($0.toPeripheral)) }
    }

    /// Runs `body` once all that the peripheral had asked for by `now` holds.
    private func caughtUp<Value: Sendable>(to now: Duration, _ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            while let change = state.first.changes.dropFirst(state.changes).first,
                begun + change.moment <= now
            {
                state.changes += 1
                state.go(on: state.first.having(change.interval))
            }
            return body(&state)
        }
    }
}
