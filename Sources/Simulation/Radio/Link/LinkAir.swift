import Synchronization

/// The air of one link, which all of its channels share.
final class LinkAir: Sendable {
    private struct State {
        /// The model at the start of the link.
        let first: LinkModel
        var model: LinkModel
        /// How many changes the peripheral has requested so far.
        var changes = 0
        var toPeripheral: ConnectionEvents
        var toCentral: ConnectionEvents

        init(_ model: LinkModel) {
            (first, self.model) = (model, model)
            toPeripheral = ConnectionEvents(model)
            toCentral = ConnectionEvents(model, direction: 1)
        }

        /// Continues with another model; packets under way keep their arrival times.
        mutating func go(on changed: LinkModel) {
            guard changed != model else { return }
            model = changed
            toPeripheral = ConnectionEvents(changed)
            toCentral = ConnectionEvents(changed, direction: 1)
        }
    }

    private let state: Mutex<State>
    private let begun: Duration

    /// The air of a link that started at `begun`.
    init(_ model: LinkModel, begun: Duration) {
        state = Mutex(State(model))
        self.begun = begun
    }

    /// Time from one connection event to the next, at `now`.
    func interval(at now: Duration) -> Duration { caughtUp(to: now) { $0.model.interval } }

    /// Changes the interval, if the link follows requests.
    func retune(_ interval: Duration, at now: Duration) {
        caughtUp(to: now) { $0.go(on: $0.first.asked(interval)) }
    }

    /// When a packet that leaves for the central at `now` arrives.
    func arrivalAtCentral(of count: Int, at now: Duration) -> Duration {
        caughtUp(to: now) { $0.toCentral.arrival(of: count, readyAt: now) }
    }

    /// When a packet that was ready at `ready` arrives at the peripheral, by the events so far.
    func arrivalAtPeripheral(
        of count: Int, at now: Duration, readyAt ready: (ConnectionEvents) -> Duration
    ) -> Duration {
        caughtUp(to: now) { $0.toPeripheral.arrival(of: count, readyAt: ready($0.toPeripheral)) }
    }

    /// Runs `body` after applying every change that the peripheral has requested by `now`.
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
