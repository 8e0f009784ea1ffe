import Firmware
import GRDB
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A single update in a journal` {
    private static func record(_ id: String, simulated: Bool = false) -> TrayRecord {
        var record = Station.record(id, slots: ["1"])
        (record.tray, record.orderNumber, record.station) = (nil, nil, nil)
        record.isSingle = true
        if simulated { record.isSimulated = true }
        record.units[0].attempts = [Station.attempt(1, at: Station.address(0))]
        return record
    }

    private static func pass(_ run: JournalledRun) async throws {
        let attempt = Station.attempt(1, at: Station.address(0)).ended(.passed)
        try await run.close("1", UnitVerdict(.passed), ending: attempt, at: RecordedTime(milliseconds: 9))
    }

    @Test func `creates the journal, and is written during a run that has it`() async throws {
        try await Station.with { station in
            let first = try await Journal.openWithoutLock(
                station.path, creating: true, work: .onCallersThread)
            try await Self.pass(first.begin(Self.record("first")))
            let tray = try await station.open()
            _ = try await tray.begin(Station.record("tray"))
            let second = try await Journal.openWithoutLock(
                station.path, creating: true, work: .onCallersThread)
            try await Self.pass(second.begin(Self.record("second")))
            let rows = try await tray.history(HistoryQuery(), limit: 9)
            #expect(rows.map(\.run.id) == ["second", "first"])
            #expect(rows.allSatisfy { $0.run.isSingle == true && $0.attempt.verdict?.outcome == .passed })
        }
    }

    /// Many programs create one journal at the same moment.
    @Test func `is recorded when others create the journal at the same moment`() async throws {
        try await Station.with { station in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let journal = try await Journal.openWithoutLock(station.path, creating: true)
                        try await Self.pass(journal.begin(Self.record("run-\(number)")))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await station.open().history(HistoryQuery(), limit: 99).count == 16)
        }
    }

    @Test func `stays when older runs are deleted, as long as it may be under way`() async throws {
        try await Station.with { station in
            let now = RecordedTime.now.milliseconds
            func record(_ id: String, hoursAgo: Int64) -> TrayRecord {
                var record = Self.record(id)
                record.sessions[0].began = RecordedTime(milliseconds: now - hoursAgo * 3_600_000)
                return record
            }
            let journal = try await station.open()
            _ = try await journal.begin(record("killed long ago", hoursAgo: 25))
            _ = try await journal.begin(record("going on", hoursAgo: 1))
            let ended = try await journal.begin(record("ended", hoursAgo: 1))
            var session = record("ended", hoursAgo: 1).sessions[0]
            session.ended = .now
            try await ended.note(session)
            let moment = RecordedTime(milliseconds: now + 1)
            #expect(
                try await journal.runs(before: moment) == OldRuns(all: 3, undelivered: 0, unfinished: 1))
            #expect(try await journal.deleteRuns(before: moment) == 2)
            #expect(try await journal.runs(beginning: "going").map(\.run.id) == ["going on"])
        }
    }

    @Test func `is not resumed as a run of a tray`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            var byRule = Station.record("by rule")
            byRule.tray = nil
            _ = try await journal.begin(byRule)
            // Interrupted, as by a kill.
            _ = try await journal.begin(Self.record("single"))
            #expect(try await journal.latestRun()?.run.id == "by rule")
            #expect(try await journal.latestRun(of: nil)?.run.id == "by rule")
            #expect(try await journal.unfinishedRuns().map(\.run.id) == ["by rule"])
            #expect(try await journal.runs(beginning: "single").map(\.run.id) == ["single"])
            let row = try #require(try await journal.history(HistoryQuery(), limit: 1).first)
            #expect(row.run.id == "single" && row.attempt.verdict == nil)
        }
    }

    @Test func `counts as a pass only among simulated or only among real ones`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let hash = String(repeating: "a", count: 64)
            func passes() async throws -> [String?] {
                try await [false, true].asyncMap {
                    try await journal.pass(of: .id("N-1"), sha256: hash, simulated: $0)?.run.id
                }
            }
            try await Self.pass(journal.begin(Self.record("simulated", simulated: true)))
            #expect(try await passes() == [nil, "simulated"])
            try await Self.pass(journal.begin(Self.record("real")))
            #expect(try await passes() == ["real", "simulated"])
            #expect(try await journal.latestRun(of: nil, simulated: true) == nil)
        }
    }

    @Test func `is not resumed by a run of the other kind of beacons`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            var simulated = Station.record("simulated")
            simulated.isSimulated = true
            _ = try await journal.begin(Station.record("real"))
            _ = try await journal.begin(simulated)
            let tray = simulated.tray
            #expect(try await journal.latestRun(of: tray)?.run.id == "real")
            #expect(try await journal.latestRun(of: tray, simulated: true)?.run.id == "simulated")
            #expect(try await journal.latestRun(of: tray, for: "WO-17")?.run.id == "real")
            #expect(try await journal.unfinishedRuns().map(\.run.id) == ["simulated", "real"])
        }
    }

    @Test func `of simulated beacons is distinguished from one of an earlier version by its adapter`()
        async throws
    {
        try await Station.with { station in
            let old = JournalSchema(steps: Array(JournalSchema.present.steps.prefix(2)))
            let journal = try await JournalOpening(
                .run(JournalOwner(tray: nil)), .onCallersThread, schema: old
            )
            .open(station.path)
            try await journal.connection.write { database in
                for (id, adapter) in [(1, "hci0"), (2, "sim")] {
                    let run = try RecordText.of(TrayRecord(id: "run-\(id)"))
                    let unit = try RecordText.of(UnitRecord(slot: "1"))
                    var attempt = Station.attempt(1, at: Station.address(0))
                    attempt.adapter = adapter
                    try database.execute(
                        sql: "INSERT INTO run (id, uuid, began, record) VALUES (?, ?, 0, ?)",
                        arguments: [id, "run-\(id)", run])
                    try database.execute(
                        sql: "INSERT INTO unit (id, run, slot, record) VALUES (?, ?, '1', ?)",
                        arguments: [id, id, unit])
                    try database.execute(
                        sql: """
                            INSERT INTO attempt (unit, number, session, began, address, adapter, record)
                            VALUES (?, 1, 1, 0, '', ?, ?)
                            """, arguments: [id, adapter, try RecordText.of(attempt)])
                }
            }
            journal.close()
            let rows = try await station.open().history(HistoryQuery(), limit: 9)
            #expect(rows.map { $0.run.isSimulated == true } == [true, false])
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
