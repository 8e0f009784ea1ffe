import Foundation
import Glibc
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A journal whose writer ends at any moment` {
    /// All changes by the number that the writer gave them, after everything else was checked.
    private static func numbers(_ path: String) async throws -> [Int] {
        let journal = try await Journal.open(at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
        let flaws = try journal.connection.readHere {
            try Fields.all($0, "PRAGMA integrity_check").map { try $0.text(0) }
        }
        #expect(flaws == ["ok"])
        guard let record = try await journal.record(of: "run") else { return [] }
        var numbers: [Int] = []
        for unit in record.units {
            let changes = try await journal.changes(of: "run", slot: unit.slot).map(\.change)
            #expect(changes.map(\.step) == Array(DeviceStep.allCases.prefix(changes.count)))
            numbers += changes.map { Int($0.at.milliseconds) }
            #expect(unit.verdict == unit.attempts.first?.verdict)
        }
        let passed = record.units.filter { $0.verdict?.outcome == .passed }.map(\.slot)
        let rows = try await journal.outbox(in: Set(OutboxState.allCases), limit: 100_000)
        #expect(rows.map(\.entry.key) == passed)
        #expect(rows.map(\.sequence) == rows.indices.map { Int64($0) + 1 })
        return numbers
    }

    private static func said(_ run: Program.Run) -> [Int] { run.events.compactMap { $0["number"] as? Int } }

    @Test func `has everything that was acknowledged before kill -9, and nothing partial`() async throws {
        try await Station.with { station in
            var random = Seed(Seed.ofThisRun)
            for _ in 0..<50 {
                let count = Int.random(in: 1...12, using: &random)
                let run = try Program.run(
                    [station.path], of: "journal-writer", signal: (SIGKILL, "written", count))
                #expect(run.status == 128 + SIGKILL, "\(run.talk)")
                let kept = try await Self.numbers(station.path)
                #expect(kept == Array(1...max(1, kept.count)))
                let last = try #require(Self.said(run).last)
                // One more may be on the disk that it had no time to report.
                #expect((last...last + 1).contains(kept.count))
            }
        }
    }

    @Test(arguments: [100_000, 150_000, 300_000])
    func `reports that there is no space, and keeps what it had`(
        bytes: Int
    ) async throws {
        try await Station.with { station in
            let run = try Program.run([station.path, "\(bytes)"], of: "journal-writer")
            #expect(run.status == 0)
            let code = run.last["code"] as? String
            // EFBIG, which a full disk does not return, is a disk error to SQLite.
            #expect(["journal-disk-full", "journal-failed"].contains(code), "\(run.output) \(run.talk)")
            let said = Self.said(run)
            guard !said.isEmpty else { return }
            #expect(try await Self.numbers(station.path).starts(with: said))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `reports that the disk is full, and continues when there is space`()
        async throws
    {
        try await Station.with { station in
            guard mount("tmpfs", station.folder.path, "tmpfs", 0, "size=400k") == 0 else { return }
            defer { _ = umount2(station.folder.path, Int32(MNT_DETACH)) }
            let run = try Program.run([station.path], of: "journal-writer")
            #expect(run.last["code"] as? String == "journal-disk-full", "\(run.output) \(run.talk)")
            let said = Self.said(run)
            #expect(!said.isEmpty)
            #expect(mount("tmpfs", station.folder.path, "tmpfs", UInt(MS_REMOUNT), "size=4m") == 0)
            #expect(try await Self.numbers(station.path).starts(with: said))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `is read on a full disk, and exported elsewhere`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            _ = try await journal.begin(Station.record("run-1"))
            try await Station.with { other in
                guard mount("tmpfs", other.folder.path, "tmpfs", 0, "size=400k") == 0 else { return }
                defer { _ = umount2(other.folder.path, Int32(MNT_DETACH)) }
                let copy = other.folder.path + "/a copy?.sqlite"
                try await journal.export(to: copy)
                let full = await problem { () throws(JournalError) in
                    for number in 0..<9 { try await journal.export(to: other.folder.path + "/\(number)") }
                }
                #expect(full == .diskFull)
                let files = try FileManager.default.contentsOfDirectory(atPath: other.folder.path)
                #expect(files.allSatisfy { !$0.contains(".new") })
                journal.close()
                try? FileManager.default.removeItem(atPath: other.folder.path + "/0")
                // In the mode with a log, like the journal of a disk that is read elsewhere.
                let raw = other.folder.path + "/raw.sqlite"
                try FileManager.default.copyItem(atPath: station.path, toPath: raw)
                #expect(mount("tmpfs", other.folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
                for path in [copy, raw] {
                    #expect(
                        try await Journal.reading(path, work: .onCallersThread).latestRun()?.run.id == "run-1"
                    )
                }
            }
        }
    }
}
