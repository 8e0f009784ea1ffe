import Foundation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A damaged journal` {
    /// Reads everything, as far as possible: the journal is read, or refused, and nothing else.
    private static func readAll(_ path: String) async throws(JournalError) -> TrayRecord? {
        let journal = try await Journal.reading(path, work: .onCallersThread)
        let rows = try await journal.history(HistoryQuery(), limit: 1000)
        _ = try await journal.outbox(in: Set(OutboxState.allCases), limit: 1000)
        _ = try await journal.unfinishedRuns()
        for row in rows.prefix(2) { _ = try await journal.changes(of: row.run.id, slot: row.unit.slot) }
        return try await journal.record(of: "run-1")
    }

    private static func writeSome(_ path: String) async throws(JournalError) {
        let journal = try await Journal.open(at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
        let run = try await journal.begin(Station.record("run-9", slots: (1...20).map { "\($0)" }))
        try await run.begin(Station.attempt(1, at: "a"), of: "3")
        try await run.close(
            "4", UnitVerdict(.passed), outbox: [.init(kind: "k", key: "new", body: "")], at: .now)
    }

    /// A journal with an entry of every kind, and the expected record.
    private static func fill(_ station: Station) async throws -> TrayRecord {
        let journal = try await station.open()
        let run = try await journal.begin(Station.record("run-1"))
        for slot in ["1", "2"] {
            let attempt = Station.attempt(1, at: Station.address(0))
            try await run.begin(attempt, of: slot)
            try await run.willChange(
                ChangeRecord(.update, address: attempt.address, at: attempt.began), in: 1, of: slot)
            try await run.close(
                slot, UnitVerdict(.passed), ending: attempt.ended(.passed),
                outbox: [.init(kind: "k", key: slot, body: "b")], at: attempt.began)
        }
        return try #require(try await journal.record(of: "run-1"))
    }

    @Test func `is read or refused, cut anywhere`() async throws {
        try await Station.with { station in
            let record = try await Self.fill(station)
            let bytes = try Data(contentsOf: URL(filePath: station.path))
            #expect(try await Self.readAll(station.path) == record)
            var random = Seed(Seed.ofThisRun)
            let near = stride(from: 4096, through: bytes.count, by: 4096).flatMap { [$0 - 1, $0] }
            let anywhere = (0..<30).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
            for length in [0, 1, 15, 16, 60, 99, 100, 512, 1024] + near + anywhere {
                try await Self.tryOut(bytes.prefix(length), beside: station)
            }
        }
    }

    @Test func `is read or refused, changed anywhere`() async throws {
        try await Station.with { station in
            _ = try await Self.fill(station)
            let bytes = try Data(contentsOf: URL(filePath: station.path))
            var random = Seed(Seed.ofThisRun)
            let header = Array(0..<100)
            // The header of a page locates everything else in it.
            let heads = stride(from: 4096, to: bytes.count, by: 4096).flatMap { page in
                (0..<12).map { page + $0 }
            }
            let anywhere = (0..<60).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
            for index in header + heads.filter({ _ in random.isOneIn(4) }) + anywhere {
                var changed = bytes
                changed[index] ^= [0x01, 0x80, 0xFF].randomElement(using: &random) ?? 1
                try await Self.tryOut(changed, beside: station)
            }
        }
    }

    @Test func `has only whole steps, its log cut anywhere`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let run = try await journal.begin(Station.record("run-1", slots: ["1"]))
            try await run.begin(Station.attempt(1, at: Station.address(0)), of: "1")
            for number in 1...10 {
                try await run.willChange(
                    ChangeRecord(.update, address: "a", part: number, at: .now), in: 1, of: "1")
            }
            let bytes = try ["", "-wal"].map { try Data(contentsOf: URL(filePath: station.path + $0)) }
            journal.close()
            var seen: Set<Int> = []
            for length in stride(from: 0, through: bytes[1].count, by: 1500) {
                try await Station.with { other in
                    try bytes[0].write(to: URL(filePath: other.path))
                    try bytes[1].prefix(length).write(to: URL(filePath: other.path + "-wal"))
                    let rest = try await other.open()
                    guard try await rest.record(of: "run-1") != nil else { return }
                    let parts = try await rest.changes(of: "run-1", slot: "1").map(\.change.part)
                    #expect(parts == Array((1...10).prefix(parts.count)))
                    seen.insert(parts.count)
                }
            }
            #expect(seen.count > 5)
        }
    }

    private static func tryOut(_ bytes: Data, beside station: Station) async throws {
        let path = station.folder.path + "/damaged.sqlite"
        for end in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + end) }
        try bytes.write(to: URL(filePath: path))
        _ = await problem { () throws(JournalError) in try await readAll(path) }
        _ = await problem { () throws(JournalError) in try await writeSome(path) }
    }
}
