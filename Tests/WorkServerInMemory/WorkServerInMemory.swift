import Synchronization
public import WorkOrders

/// An engine without a network or a disk, for tests. It keeps the facts of `Tests/WorkContract`; stations reach it over lines, which fail
/// to order.
public final class WorkServerInMemory: Sendable {
    private let state = Mutex(EngineState())
    private let clock: @Sendable () -> Duration

    /// An engine without orders, whose time `clock` tells.
    public init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

    /// A line to it, over which nobody has greeted.
    public func line() -> EngineLine { EngineLine(self, nil) }

    /// A line to it, over which `station` has greeted, on the machine `m` and with a journal that the engine did not know: that of
    /// `incarnation`, or any.
    public func line(of station: String, incarnation: String? = nil) -> EngineLine {
        let identity = StationIdentity(
            name: station, incarnation: incarnation ?? "the first of \(station)", machine: "m")
        work { state, now in state.bind(identity, at: now) }
        return EngineLine(self, identity)
    }

    /// What it has of an order.
    public func units(of number: String) -> [EngineUnit] {
        work { state, _ in state.units.filter { $0.order == number } }
    }

    /// What was handed in, in the order of the numbers.
    public var results: [(result: WorkResult, standing: Status)] {
        work { state, _ in state.results }.sorted { $0.result.sequence < $1.result.sequence }
            .map { ($0.result, $0.standing) }
    }

    /// Forgets the results from a number on, as a standby that lacks the last seconds.
    public func lose(after sequence: Int64) {
        work { state, _ in state.lose(after: sequence) }
    }

    /// Does one thing after the other.
    @discardableResult func work<Value: Sendable, Failure>(
        _ body: (inout EngineState, _ now: Duration) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state, clock()) }
    }
}
