import Synchronization
package import Work

/// A work server without a network or a disk, for tests. It satisfies `Tests/WorkContract`; stations reach it over
/// lines whose failures can be scripted.
package final class WorkServerInMemory: Sendable {
    private let state = Mutex(WorkServerState())
    private let clock: @Sendable () -> Duration

    /// A work server without orders, with the time of `clock`.
    package init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

    /// A line to it without a station.
    package func line() -> WorkServerLine { WorkServerLine(self, nil) }

    /// A line to it for a registered `station`, on the machine `m` and with a journal new to the work server: that of
    /// `incarnation`, or any.
    package func line(of station: String, incarnation: String? = nil) -> WorkServerLine {
        let identity = StationIdentity(
            name: station, incarnation: incarnation ?? "the first of \(station)", machine: "m")
        work { state, now in state.bind(identity, at: now) }
        return WorkServerLine(self, identity)
    }

    /// The state of an order.
    package func units(of number: String) -> [WorkServerUnit] {
        work { state, _ in state.units.filter { $0.order == number } }
    }

    /// The results that were handed in, by number.
    package var results: [(result: WorkResult, standing: ResultStanding)] {
        work { state, _ in state.results }.sorted { $0.result.sequence < $1.result.sequence }
            .map { ($0.result, $0.standing) }
    }

    /// Loses the results after a number, as a standby that lacks the last seconds.
    package func lose(after sequence: Int64) {
        work { state, _ in state.lose(after: sequence) }
    }

    /// Serialises access to the state.
    @discardableResult func work<Value: Sendable, Failure>(
        _ body: (inout WorkServerState, _ now: Duration) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state, clock()) }
    }
}
