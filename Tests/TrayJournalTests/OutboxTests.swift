import Foundation
import GRDB
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `The outbox of a journal` {
    private static func withOutbox(_ body: (Station, Journal) async throws -> Void) async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let run = try await journal.begin(Station.record("run-1"))
            for slot in ["1", "2"] {
                let entries = ["label", "upload"].map {
                    OutboxEntry(kind: $0, key: "\($0) \(slot)", body: "body \(slot)")
                }
                try await run.close(
                    slot, UnitVerdict(.passed), outbox: entries, at: RecordedTime(milliseconds: 100))
            }
            try await body(station, journal)
        }
    }

    private static let later = RecordedTime(milliseconds: 500)

    @Test func `returns the rows of a kind in order, and again until they are accepted`() async throws {
        try await Self.withOutbox { station, journal in
            let first = try #require(try await journal.next(inOutboxOf: "label"))
            #expect(first.sequence == 1 && first.tries == 0 && first.due.milliseconds == 100)
            try await journal.willSend(1)
            // If killed here, it is unknown whether it was accepted.
            let again = try #require(try await station.reading().next(inOutboxOf: "label"))
            #expect(again.sequence == 1 && again.state == .sent && again.tries == 1)
            try await journal.recordAnswer(1, .retry("no paper", due: Self.later), at: Self.later)
            let waiting = try #require(try await journal.next(inOutboxOf: "label"))
            #expect(waiting.sequence == 1 && waiting.due == Self.later && waiting.lastError == "no paper")
            #expect(try await journal.next(inOutboxOf: "upload")?.sequence == 2)
            try await journal.willSend(1)
            try await journal.recordAnswer(1, .acknowledged, at: Self.later)
            #expect(try await journal.next(inOutboxOf: "label")?.sequence == 3)
            #expect(try await journal.outbox(in: [.acknowledged], limit: 9).map(\.settled) == [Self.later])
            #expect(
                try await journal.outbox(in: [.waiting, .sent], after: 2, limit: 9).map(\.sequence) == [3, 4])
        }
    }

    @Test func `skips refused or dropped rows until a person allows them to be sent again`() async throws {
        try await Self.withOutbox { _, journal in
            try await journal.willSend(1)
            try await journal.recordAnswer(1, .refused("no such article"), at: Self.later)
            #expect(try await journal.next(inOutboxOf: "label")?.sequence == 3)
            #expect(
                try await journal.outbox(in: [.refused], limit: 9).map(\.lastError) == ["no such article"])
            #expect(try await journal.retry("label 1", at: Self.later) == 1)
            #expect(try await journal.next(inOutboxOf: "label")?.sequence == 1)
            #expect(try await journal.drop("label 1", at: Self.later) == 1)
            // Its sending was under way.
            try await journal.recordAnswer(1, .acknowledged, at: Self.later)
            #expect(try await journal.outbox(in: [.dropped], limit: 9).map(\.sequence) == [1])
            #expect(try await journal.retry("label 7", at: Self.later) == 0)
            #expect(try await journal.drop("label 7", at: Self.later) == 0)
        }
    }

    @Test func `keeps its runs when old ones are deleted, and its numbers continue`() async throws {
        try await Self.withOutbox { _, journal in
            let other = try await journal.begin(Station.record("run-2", began: 2000))
            _ = try await journal.begin(Station.record("run-3", began: 3000))
            #expect(
                try await journal.runs(before: RecordedTime(milliseconds: 3000))
                    == OldRuns(all: 2, undelivered: 1, unfinished: 0))
            #expect(try await journal.deleteRuns(before: RecordedTime(milliseconds: 3000)) == 1)
            #expect(try await journal.runs(limit: 9).map(\.run.id) == ["run-3", "run-1"])
            #expect(try await journal.run(other.id)?.id == nil)
            for sequence: Int64 in 1...3 {
                try await journal.recordAnswer(sequence, .acknowledged, at: Self.later)
            }
            try await journal.recordAnswer(4, .refused("never"), at: Self.later)
            #expect(try await journal.deleteRuns(before: RecordedTime(milliseconds: 3000)) == 0)
            _ = try await journal.drop("upload 2", at: Self.later)
            #expect(try await journal.deleteRuns(before: RecordedTime(milliseconds: 3000)) == 1)
            #expect(try await journal.outbox(in: Set(OutboxState.allCases), limit: 9).isEmpty)
            let run = try #require(try await journal.run("run-3"))
            try await run.close(
                "1", UnitVerdict(.passed), outbox: [.init(kind: "label", key: "n", body: "")], at: .now)
            #expect(try await journal.next(inOutboxOf: "label")?.sequence == 5)
        }
    }

    @Test func `numbers each kind without gaps, whatever else is written between`() async throws {
        try await Self.withOutbox { _, journal in
            let rows = try await journal.outbox(in: [.waiting], limit: 9)
            #expect(rows.map(\.sequence) == [1, 2, 3, 4] && rows.map(\.number) == [1, 1, 2, 2])
            let status = try await journal.status(ofOutbox: "upload")
            #expect(status == (2, 2, RecordedTime(milliseconds: 100)))
            #expect(try await journal.status(ofOutbox: "nobody") == (0, 0, nil))
        }
    }

    @Test func `sends again what its receiver has lost, and nothing else`() async throws {
        try await Self.withOutbox { _, journal in
            let upload = try await journal.next(9, inOutboxOf: "upload").map(\.sequence)
            #expect(upload == [2, 4])
            try await journal.willSend(upload)
            try await journal.recordAnswers(upload.map { ($0, .acknowledged) }, at: Self.later)
            #expect(try await journal.next(9, inOutboxOf: "upload").isEmpty)
            #expect(try await journal.status(ofOutbox: "upload") == (2, 0, nil))
            #expect(try await journal.resend(outbox: "upload", after: 1, at: Self.later) == 1)
            #expect(try await journal.next(9, inOutboxOf: "upload").map(\.number) == [2])
            #expect(try await journal.resend(outbox: "upload", after: 1, at: Self.later) == 0)
        }
    }

    @Test func `sends again what its receiver has refused and lost`() async throws {
        try await Self.withOutbox { _, journal in
            try await journal.recordAnswer(2, .refused("no such unit"), at: Self.later)
            try await journal.recordAnswer(4, .acknowledged, at: Self.later)
            #expect(try await journal.resend(outbox: "upload", after: 0, at: Self.later) == 2)
            #expect(try await journal.next(9, inOutboxOf: "upload").map(\.number) == [1, 2])
        }
    }

    @Test func `sends refused rows once more when its journal becomes another one`() async throws {
        try await Self.withOutbox { _, journal in
            try await journal.recordAnswer(2, .refused("its number is that of another"), at: Self.later)
            try await journal.recordAnswer(1, .refused("never"), at: Self.later)
            _ = try await journal.reincarnate(numbering: "upload")
            let rows = try await journal.next(9, inOutboxOf: "upload")
            #expect(rows.map(\.number) == [1, 2] && rows.map(\.settled) == [nil, nil])
            // Rows of another kind are not.
            #expect(try await journal.next(9, inOutboxOf: "label").map(\.number) == [2])
        }
    }

    @Test func `renumbers open rows when its journal becomes another one`() async throws {
        try await Self.withOutbox { station, journal in
            try await journal.recordAnswer(2, .acknowledged, at: Self.later)
            let incarnation = try await journal.reincarnate(numbering: "upload")
            #expect(incarnation != journal.incarnation)
            #expect(try await station.reading().incarnation == incarnation)
            #expect(try await journal.next(9, inOutboxOf: "upload").map(\.number) == [1])
            #expect(try await journal.status(ofOutbox: "upload").last == 1)
            #expect(try await journal.next(9, inOutboxOf: "label").map(\.number) == [1, 2])
            #expect(try await journal.resend(outbox: "upload", after: 0, at: Self.later) == 0)
        }
    }

    @Test func `is part of an exported copy, which is a journal of its own`() async throws {
        try await Self.withOutbox { station, journal in
            let target = station.folder.path + "/export.sqlite"
            try await station.reading().export(to: target)
            let copy = try await Journal.open(
                at: target, owner: JournalOwner(tray: nil), work: .onCallersThread)
            #expect(copy.incarnation != journal.incarnation)
            #expect(try await copy.record(of: "run-1") == journal.record(of: "run-1"))
            #expect(
                try await copy.outbox(in: [.waiting], limit: 9) == journal.outbox(in: [.waiting], limit: 9))
            let again = await problem { () throws(JournalError) in try await journal.export(to: target) }
            #expect(again.map { JournalError($0, at: "").code } == "journal-closed")
            let mode = try copy.connection.readHere { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(mode == "wal")
        }
    }

    /// All exports to one path use the same draft.
    @Test func `is exported whole by one of several exports to the same path at the same time`() async throws
    {
        try await Self.withOutbox { station, journal in
            let readers = try await [station.reading(), station.reading(), station.reading()]
            for number in 0..<20 {
                let target = station.folder.path + "/export\(number).sqlite"
                let problems = await withTaskGroup(of: String?.self) { group in
                    for reader in readers {
                        group.addTask {
                            await problem { () throws(JournalError) in try await reader.export(to: target) }
                                .map { JournalError($0, at: "").code.rawValue }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(problems.count { $0 == nil } == 1)
                #expect(problems.allSatisfy { $0 == nil || $0 == "journal-closed" }, "\(problems)")
                let copy = try await Journal.reading(target)
                #expect(try await copy.record(of: "run-1") == journal.record(of: "run-1"))
            }
        }
    }
}
