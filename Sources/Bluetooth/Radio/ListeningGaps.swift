import Synchronization

/// The time that a listener has waited for its adapter, which was away or starting to listen. Silence during it
/// tells nothing about a beacon.
public final class ListeningGaps: Sendable {
    /// How often a search starts to scan. An adapter is rarely plugged in more often within one search. The limit ends
    /// a search on an adapter whose scope has ended: its reports end at once every time.
    package static let mostScans = 8

    private let gaps = Mutex(Stopwatch())
    private let time: Timekeeper

    public init(of adapter: some Adapter) { time = adapter.time }

    /// Added to the total while a gap is in progress: a caller whose deadline includes the total then checks it only
    /// once per step.
    private static let step = Duration.milliseconds(100)

    /// The total length of the gaps so far, plus a step while one is in progress.
    public var total: Duration {
        gaps.withLock { $0.length(at: time.now) + ($0.isRunning ? Self.step : .zero) }
    }

    /// The reports of `adapter` once it is available; throws if it does not return.
    public func reports(from adapter: some Adapter) async throws(AdapterError) -> AsyncStream<Advertisement> {
        gaps.withLock { $0.begin(at: time.now) }
        defer { gaps.withLock { $0.end(at: time.now) } }
        return try await adapter.advertisements()
    }
}
