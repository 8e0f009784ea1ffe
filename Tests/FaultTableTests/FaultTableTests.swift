import FaultTable
import Foundation
import Synchronization
import TestSupport
import Testing

/// As many places of a fault as in the documentation's tables.
private let allPlaces = 40
/// Each of these is one of `allPlaces` too, so that no outcome can be missing from the documentation by chance.
private let fewPlaces = 2

/// Columns that are filled completely here as well; `make faults` fills all.
private let wholeColumns: Set = ["SDK 17.1, from the application", "DA14585"]

private func documented<Column: FaultColumn>(_ kind: Column.Type) throws -> DocumentedTable<Column> {
    let page = try String(contentsOfFile: Samples.root + "/docs/faults.md", encoding: .utf8)
    return try #require(DocumentedTable<Column>(in: page))
}

/// Fills the cells of `column`, and compares them with the documentation.
private func check<Column: FaultColumn>(_ column: Column) async throws {
    let table = try documented(Column.self)
    let isWhole = wholeColumns.contains(column.title)
    let counts = try await column.counts()
    for row in Column.rows {
        let cell = try await row.cell(column, counts, atMost: isWhole ? allPlaces : fewPlaces)
        #expect((cell.runs > 0) == row.traits.isSubset(of: column.traits), "\(row.title)")
        #expect(cell.defects == [], "\(row.title)")
        let difference = table.difference(
            of: cell, row: row.title, column: column.title, hasAllPlaces: isWhole)
        #expect(difference == nil)
    }
}

@Suite(.timeLimit(.minutes(20))) struct `The table of faults` {
    @Test func `has the rows of the documentation`() throws {
        #expect(try documented(NordicColumn.self).rows == NordicColumn.rows.map(\.title))
        #expect(try documented(SUOTAColumn.self).rows == SUOTAColumn.rows.map(\.title))
        #expect(try documented(KBeaconColumn.self).rows == KBeaconColumn.rows.map(\.title))
        #expect(try documented(FBeaconColumn.self).rows == FBeaconColumn.rows.map(\.title))
        #expect(try documented(MCUbootColumn.self).rows == MCUbootColumn.rows.map(\.title))
        #expect(try documented(AttributeFaultColumn.self).rows == AttributeFaultColumn.rows.map(\.title))
    }

    @Test func `is filled completely for every kind of update`() {
        let titles =
            NordicColumn.all.map(\.title) + SUOTAColumn.all.map(\.title) + KBeaconColumn.all.map(\.title)
            + FBeaconColumn.all.map(\.title) + MCUbootColumn.all.map(\.title)
            + AttributeFaultColumn.all.map(\.title)
        #expect(wholeColumns.isSubset(of: titles))
    }

    @Test(arguments: NordicColumn.all)
    func `has the documented right or exact outcome in every cell of a Nordic beacon`(
        _ column: NordicColumn
    )
        async throws
    {
        try await check(column)
    }

    @Test(arguments: SUOTAColumn.all)
    func `has the documented right or exact outcome in every cell of a SUOTA receiver`(
        _ column: SUOTAColumn
    )
        async throws
    {
        try await check(column)
    }

    @Test(arguments: KBeaconColumn.all)
    func `has the documented right or exact outcome in every cell of a KBeacon`(_ column: KBeaconColumn)
        async throws
    {
        try await check(column)
    }

    @Test(arguments: FBeaconColumn.all)
    func `has the documented right or exact outcome in every cell of a Feasycom beacon`(
        _ column: FBeaconColumn
    ) async throws {
        try await check(column)
    }

    @Test(arguments: MCUbootColumn.all)
    func `has the documented right or exact outcome in every cell of a beacon with MCUboot`(
        _ column: MCUbootColumn
    ) async throws {
        try await check(column)
    }

    @Test(arguments: AttributeFaultColumn.all)
    func `has the documented right or exact outcome in every cell of a beacon with injected faults`(
        _ column: AttributeFaultColumn
    )
        async throws
    {
        try await check(column)
    }
}

@Suite(.timeLimit(.minutes(20))) struct `An update under random faults` {
    private static let runs: UInt64 = 300
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

    /// Legacy bootloaders that accept Activate without acting on it, and then cannot be inspected.
    @Test(arguments: [14_499, 18_821] as [UInt64])
    func `is not reported as done when the device stays after Activate and reports nothing afterwards`(
        _ seed: UInt64
    )
        async throws
    {
        let (_, defect) = try await Fleet().run(seed: seed)
        #expect(defect == nil)
    }

    /// The seeds include runs of several tables.
    @Test(arguments: [4711, 4712, 4713, 4714, 4716]) func `is the same for the same seed`(_ seed: UInt64)
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
