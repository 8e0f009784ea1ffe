public import BenchPage
import Glibc
import Synchronization
public import Tray

/// A bench whose run says in lines what happens, as `beacon-dfu batch --json` does: at the end of a pipe, or line by line.
///
/// Nothing is queued: a line changes the state at once, and readers get the latest.
public final class RunSource: BenchSource {
    /// Does what somebody wants of the run.
    public typealias Performing = @Sendable (BenchAction, PageUser) async throws(PageRefusal) -> Void

    private struct State: Sendable {
        var title: String
        var reader: RunReader
        /// Whether anybody takes wishes.
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
    private let book: JournalBook?

    /// A bench of which nothing is known yet. Without `performing` nobody can act; `book` has orders and history.
    public init(
        id: String, name: String, book: JournalBook? = nil, performing: Performing? = nil
    ) {
        let first = State(title: name, reader: RunReader(id: id, name: name), isServed: performing != nil)
        state = Mutex(first)
        observed = ObservedState(first.shown)
        (self.performing, self.book) = (performing, book)
    }

    /// Takes a line of JSON.
    public func take(line: some Sequence<UInt8> & Sendable, at moment: RecordedTime = .now) {
        change { $0.reader.take(line: line, at: moment) }
    }

    /// Takes what the journal has of a run.
    public func take(_ record: TrayRecord) { change { $0.reader.take(record) } }

    /// Says what waits to be handed in.
    public func note(outbox: Bench.Outbox?) { change { $0.reader.note(outbox: outbox) } }

    /// Says by which catalogue the bench works.
    public func note(catalogue: Bench.Catalogue?) { change { $0.reader.note(catalogue: catalogue) } }

    /// Nothing will change any more, and nobody takes wishes.
    func close() {
        change { $0.isServed = false }
        observed.finish()
    }

    /// Somebody is at work, whatever has been said of a silence.
    func hear() { change { $0.reader.hear() } }

    /// No further line will come: why.
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

    /// The state now, and whenever it has changed.
    public func states() -> AsyncStream<BenchState> { observed.states() }

    /// Has it done, where anybody does.
    public func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        guard let performing else { throw .watchingOnly }
        try await performing(action, user)
    }

    /// As the book has them.
    public func orders(limit: Int) async throws(PageRefusal) -> [PageOrder] {
        try await book?.orders(limit: limit) ?? []
    }

    /// As the book has it.
    public func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        try await book?.history(query) ?? []
    }
}
