import Synchronization
import Tray
public import WorkOrders

/// An engine without a network or a disk, for tests. It keeps the rules of `WorkSource`; stations reach it over lines, which fail to
/// order.
public final class EngineInMemory: Sendable {
    /// A unit of an order.
    public struct Unit: Hashable, Sendable {
        /// How far it has come.
        public enum State: Hashable, Sendable { case waiting, claimed, verified, failed }

        /// Its key.
        public let key: String
        /// How far it has come.
        public internal(set) var state = State.waiting
        /// How often it was claimed.
        public internal(set) var epoch: Int64 = 0
        var station: String?
        var leaseEnd = Duration.zero
    }

    struct State: Sendable {
        var orders: [String: WorkOrder] = [:]
        var units: [String: [Unit]] = [:]
        /// Beacons that are claimed, over all orders.
        var live: [String: WorkClaim] = [:]
        var results: [String: (result: WorkResult, standing: Standing)] = [:]
        var journals: [String: (station: StationIdentity, sequences: [Int64: String])] = [:]
        var catalogue: PublishedCatalogue?
        var files: [String: [UInt8]] = [:]
    }

    let state = Mutex(State())
    let clock: @Sendable () -> Duration

    /// An engine without orders, whose time `clock` tells.
    public init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

    /// A line to it for `station`.
    public func line(of station: String) -> EngineLine { EngineLine(self, station) }

    /// Has an order with units of `keys`.
    public func add(_ order: WorkOrder, units keys: [String]) {
        state.withLock { state in
            state.orders[order.number] = order
            state.units[order.number] = keys.map { Unit(key: $0) }
        }
    }

    /// Changes an order, as a person would.
    public func change(_ number: String, _ body: (inout WorkOrder) -> Void) {
        state.withLock { state in
            guard var order = state.orders[number] else { return }
            body(&order)
            state.orders[number] = order
        }
    }

    /// Publishes a catalogue.
    public func publish(_ catalogue: PublishedCatalogue, files: [String: [UInt8]]) {
        state.withLock { state in
            state.catalogue = catalogue
            state.files.merge(files) { $1 }
        }
    }

    /// Forgets the results from a number on, as a standby that lacks the last seconds.
    public func lose(after sequence: Int64) {
        state.withLock { state in
            state.results = state.results.filter { $0.value.result.sequence <= sequence }
            state.journals = state.journals.mapValues { journal in
                (journal.station, journal.sequences.filter { $0.key <= sequence })
            }
        }
    }

    /// What it has of an order.
    public func units(of number: String) -> [Unit] { state.withLock { $0.units[number] ?? [] } }

    /// What was handed in, in the order of the numbers.
    public var results: [(result: WorkResult, standing: Standing)] {
        state.withLock { $0.results.values.sorted { $0.result.sequence < $1.result.sequence } }
    }
}
