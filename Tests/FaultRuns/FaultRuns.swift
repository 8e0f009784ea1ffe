import ArgumentParser
import Dispatch
import FaultTable
import FoundationEssentials
import Synchronization
import UpdateBench

/// Updates simulated beacons under faults: the whole table, or a given number of random ones.
@main struct FaultRuns: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-runs",
        abstract: "Updates simulated beacons under faults, in simulated time.",
        discussion: "Every run has a seed of its own. A defect names it, and --seed with --runs 1 repeats it."
    )

    @Flag(help: "Print the tables of personalities and faults instead of random runs.") var table = false
    @Flag(help: "Instead, send a SUOTA image in all possible blocks and chunks, without faults.")
    var cuts = false
    @Option(help: "Only one of the tables: nordic, suota, kbeacon, fbeacon, mcuboot or lies.")
    var only: String?
    @Option(help: "The maximum number of runs per cell of the table.") var atMost = Int.max
    @Option(help: "Compare the tables with those of this page, which has at most 40 places per cell.")
    var check: String?
    @Option(help: "How many random runs.") var runs = 20_000
    @Option(help: "The seed of the first run; the others' follow by ones.") var seed: UInt64 = 6979
    @Flag(help: "Print every event of every random run.") var events = false
    @Option(help: "How many runs at once.") var lanes = 2

    /// The places of a cell in docs/faults.md; with fewer, the outcomes have to be among those there.
    private static let documentedPlaces = 40

    func run() async throws {
        let start = ContinuousClock.now
        let defects =
            if cuts {
                try await runCuts()
            } else if table {
                try await printTable("Nordic", NordicColumn.self) + printTable("SUOTA", SUOTAColumn.self)
                    + printTable("KBeacon", KBeaconColumn.self) + printTable("FBeacon", FBeaconColumn.self)
                    + printTable("MCUboot", MCUbootColumn.self)
                    + printTable("lies", AttributeFaultColumn.self)
            } else { try await printRuns() }
        let seconds = (ContinuousClock.now - start).components.seconds
        print("\(defects.isEmpty ? "no defect" : "\(defects.count) defects"), \(seconds) s")
        defects.prefix(20).forEach { print($0) }
        if !defects.isEmpty { throw ExitCode.failure }
    }

    private func printTable<Column: FaultColumn>(
        _ title: String, _ kind: Column.Type
    ) async throws -> [String] {
        guard only.map({ title.lowercased().hasPrefix($0.lowercased()) }) ?? true else { return [] }
        let columns = try await inLanes(Column.all) { ($0, try await $0.counts()) }
        let pairs = Column.rows.flatMap { row in columns.map { (row, $0) } }
        let cells = try await inLanes(pairs) { row, place in
            try await row.cell(place.0, place.1, atMost: atMost)
        }
        print(Column.markdown(columns.map(\.0), cells))
        print("")
        let page = try check.map { try documented(kind, in: $0) }
        return zip(pairs, cells).flatMap { pair, cell in
            let (row, column) = (pair.0.title, pair.1.0.title)
            let isWhole = atMost >= Self.documentedPlaces
            let difference = page?.difference(of: cell, row: row, column: column, hasAllPlaces: isWhole)
            return cell.defects.map { "\(row), \(column): \($0)" } + [difference].compactMap(\.self)
        }
    }

    private func documented<Column: FaultColumn>(
        _ kind: Column.Type, in path: String
    ) throws -> DocumentedTable<Column> {
        let page = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let table = DocumentedTable<Column>(in: page), table.rows == Column.rows.map(\.title) else {
            throw ValidationError("\(path) has no table with these rows and columns")
        }
        return table
    }

    private func runCuts() async throws -> [String] {
        let images = try SUOTACut.images()
        let cuts = SUOTACut.all()
        print("\(cuts.count) cuts")
        let size = 500
        let batches = stride(from: 0, to: cuts.count, by: size).map { cuts[$0..<min($0 + size, cuts.count)] }
        return try await inLanes(batches) { $0.compactMap { cut in cut.defect(images) } }.flatMap(\.self)
    }

    private func printRuns() async throws -> [String] {
        print("\(runs) runs, seeds \(seed) to \(seed &+ UInt64(max(1, runs)) &- 1)")
        let fleet = try await Fleet()
        let endings = try await inLanes((0..<runs).map { seed &+ UInt64($0) }) { seed in
            let (outcome, defect) = try await fleet.run(seed: seed) { if events { print($0) } }
            return (outcome, defect.map { "--seed \(seed) --runs 1: \($0)" })
        }
        let tally = Dictionary(grouping: endings, by: \.0).mapValues(\.count)
        for (outcome, count) in tally.sorted(by: { $0.key < $1.key }) { print("\(count)\t\(outcome)") }
        return endings.compactMap(\.1)
    }

    /// The results of `body` for every item, in order, with a few running at once.
    private func inLanes<Item: Sendable, Value: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var values = [Value?](repeating: nil, count: items.count)
            var next = 0
            func begin() {
                guard next < items.count else { return }
                let number = next
                next += 1
                group.addTask { (number, try await body(items[number])) }
            }
            for _ in 0..<max(1, lanes) { begin() }
            while let (number, value) = try await group.next() {
                values[number] = value
                begin()
            }
            return values.compactMap(\.self)
        }
    }
}
