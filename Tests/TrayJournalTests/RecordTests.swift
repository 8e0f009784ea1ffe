import GRDB
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A journal` {
    @Test func `returns everything that was written of a run`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            var record = Station.record("run-1")
            let run = try await journal.begin(record)
            let first = Station.attempt(1, at: Station.address(0))
            try await run.begin(first, of: "1")
            record.units[0].attempts = [first]
            #expect(try await journal.record(of: "run-1") == record)

            record.units[0].attempts = [first.ended(.failed, code: "link-lost")]
            record.units[0].verdict = UnitVerdict(.failed, code: "link-lost", message: "gone")
            try await run.close(
                "1", UnitVerdict(.failed, code: "link-lost", message: "gone"),
                ending: record.units[0].attempts[0],
                at: RecordedTime(milliseconds: 5000))
            record.units[1].rssi = -61
            record.units[1].isGolden = true
            try await run.note(record.units[1])
            var late = UnitRecord(slot: "found 3")
            late.name = "a beacon that a rule has found"
            try await run.note(late)
            record.units.append(late)
            var hold = TrayRecord.Hold(
                began: RecordedTime(milliseconds: 6000), code: "same-cause", message: "three")
            try await run.note(hold)
            hold.released = RecordedTime(milliseconds: 7000)
            try await run.note(hold)
            record.holds = [
                hold, .init(began: RecordedTime(milliseconds: 8000), code: "failure-rate", message: "m"),
            ]
            try await run.note(record.holds[1])
            record.sessions[0].ended = RecordedTime(milliseconds: 9000)
            record.sessions[0].adapters = [.init(name: "hci0", mostLinks: 4, limit: 5)]
            try await run.note(record.sessions[0])
            record.sessions.append(.init(number: 2, began: RecordedTime(milliseconds: 9500), version: "1.1"))
            try await run.note(record.sessions[1])
            #expect(try await journal.record(of: "run-1") == record)
            journal.close()
            #expect(try await station.reading().record(of: "run-1") == record)
            #expect(try await station.reading().record(of: "run-2") == nil)
        }
    }

    @Test func `has each step on the disk in order before the call returns`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let run = try await journal.begin(Station.record("run-1"))
            try await run.begin(Station.attempt(1, at: Station.address(0)), of: "1")
            let changes = DeviceStep.allCases.enumerated().map { index, step in
                ChangeRecord(
                    step, address: Station.address(index), part: index + 1, of: 3, sha256: "ab",
                    at: RecordedTime(milliseconds: Int64(index)))
            }
            for change in changes { try await run.willChange(change, in: 1, of: "1") }
            let other = try await station.reading()
            #expect(try await other.changes(of: "run-1", slot: "1").map(\.change) == changes)
            #expect(
                try await other.changes(of: "run-1", slot: "1").map(\.attempt)
                    == DeviceStep.allCases.map { _ in 1 })
            #expect(try await other.changes(of: "run-1", slot: "2").isEmpty)
            let settings = try journal.connection.readHere { database in
                try ["journal_mode", "synchronous", "foreign_keys", "application_id", "user_version"].map {
                    try String.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
            #expect(settings == ["wal", "2", "1", "1650746997", "3"])
        }
    }

    @Test func `refuses a step of an attempt that has not begun or has ended`() async throws {
        try await Station.with { station in
            let run = try await station.open().begin(Station.record("run-1"))
            let change = ChangeRecord(.update, address: "a", at: .now)
            let attempt = Station.attempt(1, at: Station.address(0))
            func refusal() async -> JournalError.Problem? {
                await problem { () throws(JournalError) in try await run.willChange(change, in: 1, of: "1") }
            }
            #expect(await refusal() == .contradiction("attempt 1 of slot '1' is not under way"))
            try await run.begin(attempt, of: "1")
            #expect(await refusal() == nil)
            try await run.note(attempt.ended(.failed), of: "1")
            #expect(await refusal() == .contradiction("attempt 1 of slot '1' is not under way"))
            let again = await problem { () throws(JournalError) in try await run.begin(attempt, of: "1") }
            #expect(again.map { JournalError($0, at: "").code } == "journal-contradiction")
            let nowhere = await problem { () throws(JournalError) in try await run.begin(attempt, of: "9") }
            #expect(nowhere.map { JournalError($0, at: "").code } == "journal-contradiction")
        }
    }

    @Test func `writes a verdict and its outbox entries together or not at all`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let run = try await journal.begin(Station.record("run-1"))
            let attempt = Station.attempt(1, at: Station.address(0))
            try await run.begin(attempt, of: "1")
            let entries = [
                OutboxEntry(kind: "label", key: "1", body: "a"), .init(kind: "label", key: "2", body: "b"),
            ]
            try await run.close(
                "1", UnitVerdict(.passed), ending: attempt.ended(.passed), outbox: entries, at: .now)
            // The same again adds no other entry.
            try await run.close("1", UnitVerdict(.passed), outbox: entries, at: .now)
            let changed = OutboxEntry(kind: "label", key: "1", body: "another")
            let refusal = await problem { () throws(JournalError) in
                try await run.close(
                    "2", UnitVerdict(.passed), outbox: [.init(kind: "l", key: "3", body: ""), changed],
                    at: .now)
            }
            #expect(refusal == .contradiction("'1' is in the outbox of 'label' with different content"))
            #expect(try await journal.record(of: "run-1")?.units[1].verdict == nil)
            let rows = try await journal.outbox(in: Set(OutboxState.allCases), limit: 10)
            #expect(rows.map(\.sequence) == [1, 2])
            #expect(rows.map(\.entry) == entries)
            #expect(rows.map(\.run) == ["run-1", "run-1"])
        }
    }

    @Test func `has the latest run that can be resumed`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            #expect(try await journal.latestRun() == nil)
            var done = Station.record("done")
            done.sessions[0].ended = RecordedTime(milliseconds: 2000)
            for index in done.units.indices { done.units[index].verdict = UnitVerdict(.passed) }
            var cut = done
            (cut.id, cut.sessions[0].ended) = ("cut", nil)
            var resumed = cut
            resumed.id = "resumed"
            resumed.sessions.append(.init(number: 2, began: .now, version: "1"))
            resumed.sessions[1].ended = .now
            var broken = done
            (broken.id, broken.tray, broken.units[1].verdict) = (
                "broken", "/trays/other.yaml", UnitVerdict(.aborted)
            )
            var open = done
            (open.id, open.units[0].verdict) = ("open", nil)
            // This one and `cut` have later runs of their tray, which --resume would take.
            var superseded = open
            superseded.id = "superseded"
            for record in [done, cut, superseded, resumed, broken, open] {
                _ = try await journal.begin(record)
            }
            #expect(try await journal.unfinishedRuns().map(\.run.id) == ["open", "broken"])
            #expect(try await journal.latestRun()?.run.id == "open")
            #expect(try await journal.latestRun(of: "/trays/other.yaml")?.run.id == "broken")
            #expect(try await journal.latestRun(of: "/trays/line3.yaml")?.open == 1)
            #expect(
                try await journal.runs(limit: 2).map(\.counts)
                    == [[.passed: 1, .waiting: 1], [.passed: 1, .aborted: 1]])
            for summary in try await journal.runs(limit: 9) {
                let record = try #require(try await journal.record(of: summary.run.id))
                #expect(summary.counts == record.counts.byStatus && summary.open == record.counts.open)
            }

            let run = try #require(try await journal.run("done"))
            try await run.reopen(["2"])
            #expect(try await journal.record(of: "done")?.units.map(\.verdict?.outcome) == [.passed, nil])
            #expect(try await journal.run("never")?.id == nil)
        }
    }

    @Test func `writes in the order of the calls, and for cancelled tasks too`() async throws {
        try await Station.with { station in
            let journal = try await station.open(.background)
            let run = try await journal.begin(Station.record("run-1", slots: ["1"]))
            try await run.begin(Station.attempt(1, at: Station.address(0)), of: "1")
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                for number in 1...20 {
                    try await run.willChange(
                        ChangeRecord(.update, address: "a", part: number, at: .now), in: 1, of: "1")
                }
            }
            try await cancelled.value
            #expect(try await journal.changes(of: "run-1", slot: "1").map(\.change.part) == Array(1...20))
        }
    }

    @Test func `keeps the claims of its units until they are deleted`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let run = try await journal.begin(Station.record("run-1"))
            var claim = ClaimRecord(
                slot: "1", order: "WO-17", unit: "id:n-1", epoch: 3, boot: "b", leaseEnd: 70_000)
            try await run.note([claim])
            claim.epoch = 4
            claim.leaseEnd = nil
            try await run.note([claim])
            #expect(try await run.claims() == ["1": claim])
            #expect(try await journal.deleteRuns(before: .now) == 1)
            #expect(try await run.claims().isEmpty)
        }
    }
}
