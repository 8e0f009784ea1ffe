import Foundation
import GRDB
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A journal of an earlier version` {
    /// Made by the version that wrote schema 1, as `sqlite3 FILE .dump`.
    private static let first = Samples.root + "/Tests/TrayJournalTests/Journals/schema-1.sql"

    private static func restore(_ station: Station) async throws {
        let sql = try String(contentsOfFile: first, encoding: .utf8)
        let queue = try DatabaseQueue(path: station.path)
        try await queue.write { try $0.execute(sql: sql) }
    }

    @Test func `opens, and returns what was written then`() async throws {
        try await Station.with { station in
            try await Self.restore(station)
            let journal = try await station.open()
            let record = try #require(try await journal.record(of: "5f0c8c1e-7a53-4d7e-9b0e-0d7d4a1c2b3f"))
            #expect(record.units.map(\.verdict?.outcome) == [.passed, .failed])
            #expect(record.units[0].attempts == [Station.attempt(1, at: Station.address(0)).ended(.passed)])
            #expect(
                try await journal.changes(of: record.id, slot: "1").map(\.change.step) == [
                    .enterBootloader, .update,
                ])
            let waiting = try await journal.outbox(in: [.waiting], limit: 9)
            #expect(waiting.map(\.entry.key) == ["label of 1"] && waiting.map(\.number) == [1])
            #expect(try await journal.status(ofOutbox: waiting[0].entry.kind).last == 1)
            #expect(journal.incarnation == "0b7f3f52-6c53-4a0e-8f5e-3f8f0f6f2d11")
        }
    }

    @Test func `is upgraded when it is first opened, once`() async throws {
        let step = "ALTER TABLE run ADD COLUMN colour TEXT NOT NULL DEFAULT 'none'"
        let later = JournalSchema(steps: JournalSchema.present.steps + [step])
        for purpose in [JournalOpening.Purpose.run(JournalOwner(tray: nil)), .reading] {
            try await Station.with { station in
                try await Self.restore(station)
                for _ in 0..<2 {
                    let journal = try await JournalOpening(purpose, .onCallersThread, schema: later).open(
                        station.path)
                    let colours = try journal.connection.readHere {
                        try String.fetchAll($0, sql: "SELECT colour FROM run")
                    }
                    #expect(colours == ["none"])
                }
                let refusal = await problem { () throws(JournalError) in try await station.open() }
                #expect(refusal == .newer(4, known: 3))
            }
        }
    }

    @Test func `stays unchanged when a step fails`() async throws {
        try await Station.with { station in
            try await Self.restore(station)
            let broken = JournalSchema(
                steps: JournalSchema.present.steps + ["CREATE TABLE new (id)", "nonsense"])
            let refusal = await problem { () throws(JournalError) in
                try await JournalOpening(.reading, .onCallersThread, schema: broken).open(station.path)
            }
            #expect(refusal != nil)
            #expect(try await station.open().latestRun() != nil)
        }
    }
}
