/// The source of the page's benches: a run on the same machine, a journal, or a work server that several stations
/// share.
public protocol BenchSource: Sendable {
    /// The current state, then each change. Ends when no more will come; a source that waits for a lost connection does
    /// not end, but sets `Bench.silence`.
    func states() -> AsyncStream<BenchState>
    /// Performs a request of `user`. Its effect is visible in `states`; the call returns only whether it was accepted,
    /// within a time limit.
    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal)
    /// The work orders, the latest first; at most `limit`.
    func orders(limit: Int) async throws(PageRefusal) -> [PageOrder]
    /// Past attempts, the latest first.
    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow]
    /// Metrics in Prometheus' text format; nil if there are none.
    func metrics() async throws(PageRefusal) -> String?
}

extension BenchSource {
    /// No actions are possible.
    public func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        throw .watchingOnly
    }
    /// None.
    public func orders(limit: Int) async throws(PageRefusal) -> [PageOrder] { [] }
    /// None.
    public func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] { [] }
    /// None.
    public func metrics() async throws(PageRefusal) -> String? { nil }
}
