import FaultTable
import Foundation
import Synchronization
import TestSupport
import Testing

/// As many places of a fault as the documentation's table has.
private let places = 40

@Suite(.serialized, .timeLimit(.minutes(10))) struct `The table of faults` {
    /// Cells by column and row, for the comparison with the documentation when all are there.
    private static let cells = Mutex<[String: [String: String]]>([:])

    @Test(arguments: Column.all)
    func `has no cell that is neither right nor one exact failure`(_ column: Column) async throws {
        let counts = try await column.counts()
        for row in Row.all {
            let cell = try await FaultTable.cell(row, column, counts, atMost: places)
            #expect((cell.runs > 0) == row.traits.isSubset(of: column.traits), "\(row.title)")
            #expect(cell.defects == [], "\(row.title)")
            Self.cells.withLock { $0[column.title, default: [:]][row.title] = cell.text }
            print("\(column.title) | \(row.title) | \(cell.text)")
        }
    }

    @Test func `is the one in the documentation`() throws {
        let page = try String(contentsOfFile: Samples.root + "/docs/faults.md", encoding: .utf8)
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let titles = try #require(lines.first).dropFirst()
        #expect(Array(titles) == Column.all.map(\.title))
        let cells = Self.cells.withLock { $0 }
        try #require(cells.count == titles.count, "this test follows the one that fills the table")
        #expect(lines.dropFirst(2).map { $0[0] } == Row.all.map(\.title))
        for line in lines.dropFirst(2) {
            for (title, text) in zip(titles, line.dropFirst()) {
                #expect(cells[title]?[line[0]] == text, "\(line[0]), \(title)")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An update under random faults` {
    private static let runs: UInt64 = 1200
    private static let batches: UInt64 = 4

    @Test(arguments: 0..<batches)
    func `ends with the right image or with an exact code`(_ batch: UInt64) async throws {
        var columns: [(column: Column, counts: Column.Counts)] = []
        for column in Column.all { columns.append((column, try await column.counts())) }
        for number in 0..<Self.runs / Self.batches {
            let seed = Seed.ofThisRun &+ batch << 40 &+ number
            let (_, defect) = try await RandomRun(seed: seed, among: columns).run()
            #expect(defect == nil, "fault-runs --seed \(seed) --runs 1")
        }
    }

    @Test func `is the same for the same seed`() async throws {
        var columns: [(column: Column, counts: Column.Counts)] = []
        for column in Column.all.prefix(2) { columns.append((column, try await column.counts())) }
        let log = Mutex<[[String]]>([])
        for _ in 0..<2 {
            log.withLock { $0.append([]) }
            _ = try await RandomRun(seed: 4711, among: columns).run { line in
                log.withLock { $0[$0.count - 1].append(line) }
            }
        }
        let logs = log.withLock { $0 }
        #expect(logs[0] == logs[1])
        #expect(logs[0].count > 3)
    }
}
