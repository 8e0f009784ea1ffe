import Glibc
import Synchronization
public import Tray

/// A bench whose run reports events in lines, as `beacon-dfu batch --json` does: from a pipe, or line by line.
///
/// Nothing is queued: a line changes the state at once, and readers get the latest state.
public final class RunSource: BenchSource {
    /// Performs a user's request to the run.
    public typealias Performing = @Sendable (BenchAction, PageUser) async throws(PageRefusal) -> Void

    private struct State: Sendable {
        var title: String
        var reader: RunReader
        /// Whether requests are accepted.
        var isServed: Bool
        var shown: BenchState {
            var bench = reader.bench
            bench.actions = isServed && !bench.isPast ? Set(BenchAction.Kind.allCases) : []
            if bench.hold?.isFromOutside == true { bench.actions.remove(.release) }
            return BenchState(title: title, benches: [bench])
        }
    }

    private let state: Mutex<State>
    private let observed: ObservedState
    private let performing: Performing?
    private let book: JournalReader?

    /// A bench with unknown state. Without `performing`, no actions are possible; `book` has orders and history.
    public init(
        id: String, name: String, book: JournalReader? = nil, performing: Performing? = nil
    ) {
        let first = State(title: name, reader: RunReader(id: id, name: name), isServed: performing != nil)
        state = Mutex(first)
        observed = ObservedState(first.shown)
        (self.performing, self.book) = (performing, book)
    }

    /// Processes a line of JSON.
    public func take(line: some Sequence<UInt8> & Sendable, at moment: RecordedTime = .now) {
        change { $0.reader.take(line: line, at: moment) }
    }

    /// Takes over the journal's record of a run.
    public func take(_ record: TrayRecord) { change { $0.reader.take(record) } }

    /// Sets the state of the outbox.
    public func note(outbox: Bench.Outbox?) { change { $0.reader.note(outbox: outbox) } }

    /// Sets the catalogue that the bench uses.
    public func note(catalogue: Bench.Catalogue?) { change { $0.reader.note(catalogue: catalogue) } }

    /// No more changes; requests are no longer accepted.
    func close() {
        change { $0.isServed = false }
        observed.finish()
    }

    /// A program is at work: ends a reported silence.
    func hear() { change { $0.reader.hear() } }

    /// No further line will come; `reason` says why.
    public func fallSilent(_ reason: String, at moment: RecordedTime = .now) {
        change { $0.reader.fallSilent(reason, at: moment) }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let shown = state.shown
            observed.change { $0 = shown }
        }
    }

    /// The current state, then each change.
    public func states() -> AsyncStream<BenchState> { observed.states() }

    /// Performs the action, if actions are possible.
    public func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        guard let performing else { throw .watchingOnly }
        try await performing(action, user)
    }

    /// The orders of the book.
    public func orders(limit: Int) async throws(PageRefusal) -> [PageOrder] {
        try await book?.orders(limit: limit) ?? []
    }

    /// The history of the book.
    public func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        try await book?.history(query) ?? []
    }
}
