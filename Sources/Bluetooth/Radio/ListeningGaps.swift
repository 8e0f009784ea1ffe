import Synchronization

/// The time that a listener has waited for its adapter, which was away or starting to listen. Silence during it
/// tells nothing about a beacon.
public final class ListeningGaps: Sendable {
    private struct State: Sendable {
        var total = Duration.zero
        var since: Duration?
    }

    private let state = Mutex(State())
    private let time: Timekeeper

    /// No gaps yet, by the clock of `adapter`.
    public init(of adapter: some Adapter) { time = adapter.time }

    /// Added to a gap in progress, for callers that wait by its length.
    private static let step = Duration.milliseconds(100)

    /// The total length of the gaps so far, plus a step while one is in progress.
    public var total: Duration {
        state.withLock { $0.total + ($0.since.map { time.now - $0 + Self.step } ?? .zero) }
    }

    /// The reports of `adapter` once it is available; throws if it does not return.
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
