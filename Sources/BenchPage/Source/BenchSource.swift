package import Tray

/// The source of the page's benches: a run on this machine, a journal, or a work server that stations share.
package protocol BenchSource: Sendable {
    /// The current state, then each change. Ends when no more will come; a source that waits for a lost connection does
    /// not end, but sets `Bench.silence`.
    func states() -> AsyncStream<BenchState>
    /// Performs a request of `user`. Returns once the request was accepted; its effect shows later in `states`.
    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal)
    func perform(_ action: OrderAction, for user: PageUser) async throws(PageRefusal)
    /// The work orders, the latest first, and at most `limit`; and the latest runs.
    func orders(limit: Int) async throws(PageRefusal) -> PageOrders
    /// Past attempts, the latest first.
    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow]
    /// Metrics in Prometheus' text format; nil if there are none.
    func metrics() async throws(PageRefusal) -> String?
}

extension BenchSource {
    /// Refuses: without a work server, an order is only a number that runs share.
    package func perform(_ action: OrderAction, for user: PageUser) async throws(PageRefusal) {
        throw .noOrders
    }

    package func metrics() async throws(PageRefusal) -> String? { nil }
}

/// A user's request about a bench or one of its units.
package struct BenchAction: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Continue after a hold.
        case release
        /// Start no further unit.
        case hold
        case retry
        /// Skip a unit, or end it at its next safe point.
        case skip
        case blink
        /// Send a scanned label for the next slot, or the answer to the question about a refused label.
        case scan
        /// End the run: units at work are finished, no further unit starts.
        case stop

        package var isOfUnit: Bool { self == .retry || self == .skip || self == .blink }
        /// The name in a bench's list of actions.
        var name: String { self == .stop ? "end" : rawValue }
        package var role: PageRole { self == .release ? .approver : .worker }
    }

    package let kind: Kind
    package let bench: String
    /// The label of the unit's slot; nil for the whole bench.
    package let slot: String?
    /// The start of the hold to release; nil for any.
    package let since: RecordedTime?
    /// The scanned label or the answer, as typed at the bench; empty to end scanning. Nil unless `kind` is `scan`.
    package let text: String?

    private static let mostTextBytes = 1024

    /// A request of `kind`; nil if a part is missing, not for this kind, or too long.
    package init?(_ kind: Kind, bench: String, slot: String?, since: RecordedTime? = nil, text: String? = nil)
    {
        guard kind == .release || since == nil, kind.isOfUnit == (slot != nil), !bench.isEmpty,
            bench.utf8.count <= 256, slot?.utf8.count ?? 1 <= 256, (kind == .scan) == (text != nil),
            text.map({ $0.utf8.count <= Self.mostTextBytes && !$0.utf8.contains { $0 < 0x20 } }) ?? true
        else { return nil }
        (self.kind, self.bench, self.slot, self.since, self.text) = (kind, bench, slot, since, text)
    }
}
