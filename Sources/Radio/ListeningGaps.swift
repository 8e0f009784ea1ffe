public import BluetoothTypes
import Synchronization
import Timing

/// The time that a listener has waited for its adapter, which was away, or was beginning to listen. Silence in it says nothing
/// about a beacon.
public final class ListeningGaps: Sendable {
    private struct State: Sendable {
        var total = Duration.zero
        var since: Duration?
    }

    private let state = Mutex(State())
    private let time: Timekeeper

    /// No time yet, by the clock of `adapter`.
    public init(of adapter: some Adapter) { time = adapter.time }

    /// Added to a gap that lasts, for those who wait by its length.
    private static let step = Duration.milliseconds(100)

    /// How long the gaps are by now, and a step more while one lasts.
    public var total: Duration {
        state.withLock { $0.total + ($0.since.map { time.now - $0 + Self.step } ?? .zero) }
    }

    /// What `adapter` hears once it is there; throws where it does not come back.
    public func reports(from adapter: some Adapter) async throws(AdapterError) -> AsyncStream<Advertisement> {
        state.withLock { $0.since = time.now }
        defer {
            state.withLock { state in
                state.total += state.since.map { time.now - $0 } ?? .zero
                state.since = nil
            }
        }
        return try await adapter.advertisements()
    }
}
