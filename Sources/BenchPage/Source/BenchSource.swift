/// Where the page has benches from: a run beside it, a journal, or an engine that several stations share.
public protocol BenchSource: Sendable {
    /// The state now, and again whenever it has changed. Ends when there will be no more; a source that waits for something to come
    /// back does not end but says so in `Bench.silence`.
    func states() -> AsyncStream<BenchState>
    /// Does what `user` wants. Its effect comes over `states`; this only says whether it was taken. Answers in bounded time.
    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal)
    /// The work orders, the latest first; at most `limit`.
    func orders(limit: Int) async throws(PageRefusal) -> [PageOrder]
    /// Attempts that were made, the latest first.
    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow]
    /// Figures in Prometheus' text format; nil where there are none.
    func metrics() async throws(PageRefusal) -> String?
}

extension BenchSource {
    /// Nobody to ask.
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
