import Synchronization
import Tray
import TrayJournal

/// Orders and history of a journal. The file is opened for each query: it may not exist yet, or be replaced.
package struct JournalReader: Sendable {
    private let path: String
    private let cache = CountedRuns()
    /// The most attempts that one query reads, matching or not.
    private static let mostAttempts = 5000
    /// The most runs, from the latest on, whose units are counted.
    private static let mostCounted = 60

    package init(_ path: String) { self.path = path }

    /// The orders with the results of their runs, and the latest runs. Of several runs over the same tray only the
    /// latest counts for the order. Only the latest `mostCounted` runs add yields and causes of failures.
    func orders(limit: Int) async throws(PageRefusal) -> PageOrders {
        let (runs, counted) = try await reading { (journal) async throws(JournalError) in
            let runs = try await journal.runs(limit: 500)
            var counted: [String: CountedRun] = [:]
            for (place, run) in runs.prefix(Self.mostCounted).enumerated() {
                // The latest run may still change while its counts stay the same, so it is always read.
                if place > 0, let cached = cache.run(like: run) {
                    counted[run.run.id] = cached
                } else if let record = try await journal.record(of: run.run.id) {
                    counted[run.run.id] = CountedRun(record)
                    cache.store(CountedRun(record), of: run)
                }
            }
            return (runs, counted)
        }
        var orders: [PageOrder] = []
        var trays: Set<[String]> = []
        for run in runs {
            guard let number = run.run.orderNumber else { continue }
            guard trays.insert([number, run.run.station ?? "", run.run.tray ?? run.run.id]).inserted else {
                continue
            }
            let place = orders.firstIndex { $0.number == number }
            if place == nil { orders.append(PageOrder(number: number, state: "done")) }
            orders[place ?? orders.count - 1].add(run, counted[run.run.id])
        }
        let shown = runs.compactMap { run in
            counted[run.run.id].map {
                PageRun(id: run.run.id, order: run.run.orderNumber, began: run.began, figures: $0.figures)
            }
        }
        return PageOrders(Array(orders.prefix(limit)), runs: shown)
    }

    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        var filter = HistoryQuery()
        if let outcome = query.outcome { filter.outcomes = [outcome] }
        let wanted = filter
        return try await reading { (journal) async throws(JournalError) in
            var rows: [PageHistoryRow] = []
            var (before, seen): (Int64?, Int) = (nil, 0)
            while rows.count < query.limit, seen < Self.mostAttempts {
                let page = try await journal.history(wanted, before: before, limit: 500)
                guard let last = page.last else { break }
                (before, seen) = (last.number, seen + page.count)
                rows += page.map { PageHistoryRow(run: $0.run, unit: $0.unit, attempt: $0.attempt) }
                    .filter { $0.matches(query) }
            }
            return Array(rows.prefix(query.limit))
        }
    }

    /// Whether a program is using the journal for a run; nil if unknown.
    var isInUse: Bool? { Journal.isInUse(path) }

    /// The latest run with all its units; nil if there is none. `outbox` is nil if the outbox was never used.
    func latest() async throws(PageRefusal) -> (record: TrayRecord, outbox: Bench.Outbox?)? {
        try await reading { (journal) async throws(JournalError) in
            guard let run = try await journal.latestRun(),
                let record = try await journal.record(of: run.run.id)
            else { return nil }
            let open = try await journal.outbox(in: [.waiting, .sent], limit: 10_000)
            let refused = try await journal.outbox(in: [.refused], limit: 10_000)
            let taken = try await journal.outbox(in: [.acknowledged], limit: 1)
            guard !(open.isEmpty && refused.isEmpty && taken.isEmpty) else { return (record, nil) }
            return (
                record, Bench.Outbox(waiting: open.count, since: open.first?.made, refused: refused.count)
            )
        }
    }

    private func reading<Value: Sendable>(
        _ query: (Journal) async throws(JournalError) -> Value
    ) async throws(PageRefusal) -> Value {
        do throws(JournalError) {
            let journal = try await Journal.reading(path)
            defer { journal.close() }
            return try await query(journal)
        } catch {
            throw PageRefusal(
                503, error.code, "the journal cannot be read: \(error)",
                next: "check that the bench is running")
        }
    }
}

extension PageOrder {
    /// Adds the results of a run over one of its trays; `counted` is nil if its units were not counted.
    mutating func add(_ run: RunSummary, _ counted: CountedRun?) {
        if run.open > 0 || run.counts[.aborted] ?? 0 > 0 { state = "open" }
        expected = run.run.expected.map { ($0) + (expected ?? 0) } ?? expected
        counts.merge(run.counts, uniquingKeysWith: +)
        if let station = run.run.station, !benches.contains(station) { benches.append(station) }
        began = run.began
        guard let counted else { return }
        figures.add(counted.figures)
        for trouble in counted.troubles {
            if let place = troubles.firstIndex(where: { $0.code == trouble.code }) {
                troubles[place].units += trouble.units
            } else {
                troubles.append(trouble)
            }
        }
        troubles.sort { ($1.units, $0.code) < ($0.units, $1.code) }
    }
}

struct CountedRun: Hashable, Sendable {
    let figures: YieldFigures
    let troubles: [PageTrouble]

    init(_ record: TrayRecord) {
        figures = YieldFigures(record.counts)
        troubles = record.causes.map { cause in
            let verdict = record.units.lazy.compactMap(\.verdict).first { $0.code == cause.code }
            return PageTrouble(
                cause.code, units: cause.slots.count, cause: verdict?.message, nextStep: verdict?.nextStep)
        }
    }
}

/// Runs that were counted before, so that a journal is not read again for runs that have not changed.
private final class CountedRuns: Sendable {
    private let runs = Mutex<[String: (counts: [UnitStatus: Int], run: CountedRun)]>([:])

    func run(like summary: RunSummary) -> CountedRun? {
        runs.withLock { $0[summary.run.id] }.flatMap { $0.counts == summary.counts ? $0.run : nil }
    }

    func store(_ run: CountedRun, of summary: RunSummary) {
        runs.withLock { $0[summary.run.id] = (summary.counts, run) }
    }
}
