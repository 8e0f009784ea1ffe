import FaultTable
import Foundation
import Synchronization
import TestSupport
import Testing

/// As many places of a fault as the documentation's tables have.
private let places = 40

/// Every cell of a column, by its row.
private func fill<Column: FaultColumn>(_ column: Column) async throws -> [String: String] {
    let counts = try await column.counts()
    var cells: [String: String] = [:]
    for row in Column.rows {
        let cell = try await row.cell(column, counts, atMost: places)
        #expect((cell.runs > 0) == row.traits.isSubset(of: column.traits), "\(row.title)")
        #expect(cell.defects == [], "\(row.title)")
        cells[row.title] = cell.text
        print("\(column.title) | \(row.title) | \(cell.text)")
    }
    return cells
}

/// Holds the documentation's table that has these columns against `cells`, by column and row.
private func compare<Column: FaultColumn>(
    _ kind: Column.Type, _ cells: [String: [String: String]]
) throws {
    let page = try String(contentsOfFile: Samples.root + "/docs/faults.md", encoding: .utf8)
    let tables = page.split(separator: "\n\n").map { table in
        table.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
    let titles = Column.all.map(\.title)
    let lines = try #require(tables.first { $0.first.map { Array($0.dropFirst()) } == titles })
    #expect(lines.dropFirst(2).map { $0[0] } == Column.rows.map(\.title))
    for line in lines.dropFirst(2) {
        for (title, text) in zip(titles, line.dropFirst()) {
            #expect(cells[title]?[line[0]] == text, "\(line[0]), \(title)")
        }
    }
}

/// Fills the table that has these columns, and holds the documentation's against it.
private func check<Column: FaultColumn>(_ kind: Column.Type) async throws {
    var cells: [String: [String: String]] = [:]
    for column in Column.all { cells[column.title] = try await fill(column) }
    try compare(kind, cells)
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct `The table of faults` {
    @Test
    func `of Nordic bootloaders has none that is neither right nor one exact failure, and is documented`()
        async throws
    {
        try await check(NordicColumn.self)
    }

    @Test func `of SUOTA receivers has none that is neither right nor one exact failure, and is documented`()
        async throws
    {
        try await check(SUOTAColumn.self)
    }
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct `The table of beacons that lie` {
    /// Cells by column and row, for the comparison with the documentation when all are there.
    private static let cells = Mutex<[String: [String: String]]>([:])

    @Test(arguments: LieColumn.all)
    func `has no cell that is neither right nor one exact failure`(_ column: LieColumn) async throws {
        let filled = try await fill(column)
        Self.cells.withLock { $0[column.title] = filled }
    }

    @Test func `is the one in the documentation`() throws {
        try compare(LieColumn.self, Self.cells.withLock { $0 })
    }
}

@Suite(.timeLimit(.minutes(20))) struct `An update under random faults` {
    private static let runs: UInt64 = 1800
    private static let batches: UInt64 = 4

    @Test(arguments: 0..<batches)
    func `ends with the right image or with an exact code`(_ batch: UInt64) async throws {
        let fleet = try await Fleet()
        for number in 0..<Self.runs / Self.batches {
            let seed = Seed.ofThisRun &+ batch << 40 &+ number
            let (_, defect) = try await fleet.run(seed: seed)
            #expect(defect == nil, "fault-runs --seed \(seed) --runs 1")
        }
    }

    /// Legacy bootloaders that take Activate without acting on it, and then cannot be looked at.
    @Test(arguments: [14_499, 18_821] as [UInt64])
    func `that stays after Activate and shows nothing afterwards is not called done`(_ seed: UInt64)
        async throws
    {
        let (_, defect) = try await Fleet().run(seed: seed)
        #expect(defect == nil)
    }

    /// Among the seeds are runs of both tables.
    @Test(arguments: [4711, 4712, 4713, 4714]) func `is the same for the same seed`(_ seed: UInt64)
        async throws
    {
        let fleet = try await Fleet(atMost: 3)
        let log = Mutex<[[String]]>([])
        for _ in 0..<2 {
            log.withLock { $0.append([]) }
            _ = try await fleet.run(seed: seed) { line in log.withLock { $0[$0.count - 1].append(line) } }
        }
        let logs = log.withLock { $0 }
        #expect(logs[0] == logs[1])
        #expect(logs[0].count > 3)
    }
}
