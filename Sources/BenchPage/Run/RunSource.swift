import Bytes
import Dispatch
import Glibc
import Synchronization
import Tray
import TrayJournal

/// A bench whose run reports events in lines, as `beacon-dfu batch --json` does: from a pipe, or line by line.
///
/// Nothing is queued: a line changes the state at once, and readers get the latest state.
package final class RunSource: BenchSource {
    package typealias Performing = @Sendable (BenchAction, PageUser) async throws(PageRefusal) -> Void

    private struct State: Sendable {
        var title: String
        var reader: RunReader
        /// Whether the run accepts requests of users.
        var acceptsRequests: Bool
        var benchState: BenchState {
            var bench = reader.bench
            bench.actions =
                acceptsRequests && !bench.isPast ? Set(BenchAction.Kind.allCases).subtracting([.scan]) : []
            if bench.scan != nil { bench.actions = acceptsRequests ? [.scan] : [] }
            if bench.hold?.isFromOutside == true { bench.actions.remove(.release) }
            return BenchState(title: title, benches: [bench])
        }
    }

    private let state: Mutex<State>
    private let observed: ObservedState
    private let performing: Performing?
    private let journal: JournalReader?

    /// A bench with unknown state. Without `performing`, no actions are possible; `journal` has orders and history.
    package init(
        id: String, name: String, journal: JournalReader? = nil, performing: Performing? = nil
    ) {
        let first = State(
            title: name, reader: RunReader(id: id, name: name), acceptsRequests: performing != nil)
        state = Mutex(first)
        observed = ObservedState(first.benchState)
        (self.performing, self.journal) = (performing, journal)
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let shown = state.benchState
            observed.change { $0 = shown }
        }
    }

    package func states() -> AsyncStream<BenchState> { observed.states() }

    package func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        guard let performing else { throw .readOnly }
        try await performing(action, user)
    }

    package func orders(limit: Int) async throws(PageRefusal) -> PageOrders {
        try await journal?.orders(limit: limit) ?? PageOrders([])
    }

    package func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        try await journal?.history(query) ?? []
    }
}

extension RunSource {
    /// The minimum time between two reads of the journal.
    private static let minimumPause = Duration.milliseconds(500)
    /// The interval at which the journal is checked for a program that uses it.
    private static let lockInterval = Duration.seconds(2)

    /// Follows the latest run of the journal at `path` whenever the file changes, until the task is cancelled. Lines of
    /// the same run (`hasLines`) have more detail and take precedence; without them, the journal's lock distinguishes a
    /// continuing run from one that was cut off. `catalogue` returns the catalogue for an order's number.
    package func follow(
        journal path: String, hasLines: Bool = false,
        catalogue: @escaping @Sendable (String) -> Bench.Catalogue? = { _ in nil }
    ) async {
        let watch = FileWatch(path.parentFolder, [path.lastName, path.lastName + "-wal"])
        let reader = JournalReader(path)
        await read(reader, hasLines, catalogue)
        guard let watch else {
            change { $0.reader.fallSilent("the journal's folder cannot be watched", at: .now) }
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watch.changes {
                    await self.read(reader, hasLines, catalogue)
                    guard (try? await Task.sleep(for: Self.minimumPause)) != nil else { return }
                }
            }
            group.addTask {
                while !hasLines, (try? await Task.sleep(for: Self.lockInterval)) != nil {
                    if reader.isInUse == false { await self.read(reader, hasLines, catalogue) }
                }
            }
            await group.waitForAll()
        }
    }

    private func read(_ reader: JournalReader, _ hasLines: Bool, _ catalogue: (String) -> Bench.Catalogue?)
        async
    {
        // Read first: a run records its end before it releases the lock.
        let isInUse = hasLines ? nil : reader.isInUse
        // A journal that cannot be read now may be readable after its next change.
        guard let latest = try? await reader.latest() else { return }
        let used = latest.record.orderNumber.flatMap(catalogue)
        change { state in
            state.reader.apply(latest.record)
            (state.reader.bench.outbox, state.reader.bench.catalogue) = (latest.outbox, used)
            switch isInUse {
            case true?: state.reader.bench.silence = nil
            case false?:
                state.reader.fallSilent("the run was cut off: no program is using its journal", at: .now)
            case nil: break
            }
        }
    }

    /// The longest line that is read, in bytes; longer ones are skipped.
    static let mostBytes = 1 << 18

    /// Reads lines from `descriptor` on a thread of its own until its end, and then marks the source as silent; the
    /// returned stream ends at the same time. The caller has to close the descriptor.
    @discardableResult package func read(_ descriptor: Int32) -> AsyncStream<Void> {
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        DispatchQueue(label: "bench-lines").async {
            var lines = LineSplitter(limit: Self.mostBytes, excess: .skipped)
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(descriptor, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                lines.append(piece[..<count])
                while let line = lines.next() {
                    if !line.isEmpty { self.change { $0.reader.apply(line: line, at: .now) } }
                }
            }
            self.change { state in
                state.reader.fallSilent("the run sends no more events", at: .now)
                state.acceptsRequests = false
            }
            self.observed.finish()
            ending.finish()
        }
        return end
    }
}
