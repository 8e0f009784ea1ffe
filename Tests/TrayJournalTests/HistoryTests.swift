import Firmware
import GRDB
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `The history of a journal` {
    /// Three runs of two units; each has a different file, and the second attempts pass.
    private static func withHistory(_ body: (Journal) async throws -> Void) async throws {
        try await Station.with { station in
            let journal = try await station.open()
            for (number, file) in zip(1..., ["a", "b", "c"]) {
                var record = Station.record("0\(number)-run", began: Int64(number) * 10_000)
                record.orderNumber = "WO-\(number)"
                if number == 3 { (record.station, record.operatorName) = ("bench 9", "Otto") }
                let run = try await journal.begin(record)
                for (index, unit) in record.units.enumerated() {
                    for (count, outcome) in zip(1..., [UnitOutcome.failed, .passed]) {
                        // The bootloader's address is one higher.
                        let address = Station.address(index + 10 * count)
                        let attempt = Station.attempt(
                            count, at: address, file: file, began: Int64(number) * 10_000 + Int64(count))
                        try await run.begin(attempt, of: unit.slot)
                        try await run.note(attempt.ended(outcome), of: unit.slot)
                    }
                }
            }
            try await body(journal)
        }
    }

    /// The run, slot and attempt of each row.
    private static func words(_ rows: [HistoryRow]) -> [String] {
        rows.map { "\($0.run.id.prefix(2)) \($0.unit.slot) \($0.attempt.number)" }
    }

    @Test func `has every attempt, the latest first, page by page`() async throws {
        try await Self.withHistory { journal in
            let all = try await journal.history(HistoryQuery(), limit: 100)
            let expected = ["03", "02", "01"].flatMap { run in
                ["2 2", "2 1", "1 2", "1 1"].map { "\(run) \($0)" }
            }
            #expect(Self.words(all) == expected)
            #expect(all[0].attempt.transfer?.bytes == 1000)
            #expect(all[0].unit.identifier == "N-2")
            #expect(all[0].run.orderNumber == "WO-3")
            var pages: [HistoryRow] = []
            while true {
                let page = try await journal.history(HistoryQuery(), before: pages.last?.number, limit: 5)
                pages += page
                guard page.count == 5 else { break }
            }
            #expect(pages == all)
        }
    }

    @Test func `can be queried by everything that a person may know`() async throws {
        try await Self.withHistory { journal in
            func found(_ change: (inout HistoryQuery) -> Void) async throws -> [String] {
                var query = HistoryQuery()
                change(&query)
                return Self.words(try await journal.history(query, limit: 100))
            }
            let ofFirst = ["03 1 2", "03 1 1", "02 1 2", "02 1 1", "01 1 2", "01 1 1"]
            let ofFirstRun = ["01 2 2", "01 2 1", "01 1 2", "01 1 1"]
            for device in [
                "F0:0D:BE:AC:00:00", "F0:0D:BE:AC:00:00/random", "id:n-1", "name:K6 1", "name:*1", "id:N-1",
            ] {
                #expect(try await found { $0.device = DeviceSelector(device) } == ofFirst, "\(device)")
            }
            #expect(
                try await found { $0.device = DeviceSelector("F0:0D:BE:AC:00:14") } == [
                    "03 1 2", "02 1 2", "01 1 2",
                ])
            for device in [
                "F0:0D:BE:AC:00:00/public", "id:N-10", "name:K[6] 1",
                "ibeacon:00000000-0000-0000-0000-000000000000/1/2",
            ] {
                let selector = try #require(DeviceSelector(device))
                #expect(try await found { $0.device = selector } == [])
            }
            #expect(try await found { $0.file = .sha256("AAAA") } == ofFirstRun)
            #expect(try await found { $0.file = .sha256(String(repeating: "a", count: 64)) } == ofFirstRun)
            #expect(try await found { $0.file = .sha256("ab") } == [])
            #expect(try await found { $0.file = .path("a.zip") } == ofFirstRun)
            #expect(try await found { $0.file = .path("/firmware/a.zip") } == ofFirstRun)
            #expect(try await found { $0.file = .path(".zip") } == [])
            #expect(try await found { $0.orderNumber = "WO-1" } == ofFirstRun)
            #expect(try await found { $0.run = "01" } == ofFirstRun)
            #expect(try await found { $0.station = "bench 9" }.count == 4)
            #expect(try await found { $0.operatorName = "Otto" }.count == 4)
            #expect(try await found { $0.until = RecordedTime(milliseconds: 10_003) } == ofFirstRun)
            #expect(
                try await found { $0.since = RecordedTime(milliseconds: 30_002) } == ["03 2 2", "03 1 2"])
            #expect(try await found { $0.outcomes = [.passed] }.count == 6)
            #expect(try await found { $0.outcomes = [.passed, .failed] }.count == 12)
            #expect(
                try await found { query in
                    (query.outcomes, query.orderNumber, query.device) = ([.failed], "WO-2", .id("N-2"))
                } == ["02 2 1"])
        }
    }

    @Test func `has the firmware with which a beacon last passed`() async throws {
        try await Self.withHistory { journal in
            func pass(_ id: String, _ file: String) async throws -> HistoryRow? {
                try await journal.pass(of: .id(id), sha256: String(repeating: file, count: 64))
            }
            let passes = try await [pass("N-1", "c"), pass("N-1", "a"), pass("N-7", "c")]
            #expect(passes.map { $0 != nil } == [true, false, false])
            #expect(passes[0]?.run.orderNumber != nil && passes[0]?.attempt.verdict?.outcome == .passed)
        }
    }

    @Test(arguments: ["device", "address", "name", "file", "order", "run"])
    func `uses an index, however long it is`(_ what: String) async throws {
        var query = HistoryQuery()
        switch what {
        case "device": query.device = .id("N-1")
        case "address": query.device = DeviceSelector("F0:0D:BE:AC:00:00")
        case "name": query.device = DeviceSelector("name:K6 1")
        case "file": query.file = .sha256("ab")
        case "order": query.orderNumber = "WO-1"
        default: query.run = "01"
        }
        try await Station.with { station in
            let journal = try await station.open()
            let (sql, arguments) = Journal.statement(query, before: nil, limit: 10)
            let plan = try journal.connection.readHere { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map {
                    "\(($0["detail"] as DatabaseValue))"
                }
            }
            #expect(
                !plan.isEmpty && !plan.contains { $0.contains("SCAN") }, "\(plan.joined(separator: "\n"))")
        }
    }
}
