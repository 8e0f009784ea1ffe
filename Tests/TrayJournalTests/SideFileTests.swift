import Foundation
import GRDB
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import TrayJournal

/// A file that a person may have in a folder under a name that a journal would use.
enum Stranger: String, CaseIterable {
    case key, text, link, danglingLink, folder

    func put(at path: String) throws {
        let victim = path + " of somebody"
        switch self {
        case .key:
            try Data("-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n".utf8).write(
                to: URL(filePath: path))
        case .text: try Data("# yarn lockfile v1\n".utf8).write(to: URL(filePath: path))
        case .link:
            try Data("notes\n".utf8).write(to: URL(filePath: victim))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        case .danglingLink:
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        case .folder:
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Files of a journal` {
    /// Every name in the folder with its content.
    private static func contents(_ station: Station) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: station.folder.path) {
            let path = station.folder.path + "/" + name
            let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            found[name] = "\(kind?.rawValue ?? ""): \(bytes.base64EncodedString())"
        }
        return found
    }

    private static func code(_ body: () async throws(JournalError) -> Journal) async -> String? {
        do throws(JournalError) {
            _ = try await body()
            return nil
        } catch { return error.code.rawValue }
    }

    @Test(arguments: [".lock", ".new", "-wal", "-shm", "-journal"], Stranger.allCases)
    func `replace no other file, and a refusal leaves none`(_ end: String, _ stranger: Stranger)
        async throws
    {
        for isThere in [false, true] where !(isThere && end == ".new") {
            try await Station.with { station in
                if isThere { try await station.open().close() }
                try? FileManager.default.removeItem(atPath: station.path + end)
                try stranger.put(at: station.path + end)
                let before = try Self.contents(station)
                #expect(
                    await Self.code { () throws(JournalError) in try await station.open() }
                        == "journal-foreign")
                #expect(try Self.contents(station) == before)
            }
        }
    }

    @Test(arguments: [false, true])
    func `under the name of a draft are kept if they are journals with runs`(_ isExported: Bool)
        async throws
    {
        try await Station.with { station in
            do {
                let journal = try await station.open()
                _ = try await journal.begin(Station.record("run-1"))
                journal.close()
            }
            let draft = station.folder.path + "/copy.sqlite.new"
            try FileManager.default.moveItem(atPath: station.path, toPath: draft)
            let copy = station.folder.path + "/copy.sqlite"
            let refusal = await problem { () async throws(JournalError) -> Journal in
                guard isExported else {
                    return try await Journal.open(
                        at: copy, owner: JournalOwner(tray: nil), work: .onCallersThread)
                }
                let journal = try await Journal.reading(draft, work: .onCallersThread)
                defer { journal.close() }
                try await journal.export(to: copy)
                return journal
            }
            #expect(refusal == .sideFileForeign(draft, "is a journal with runs of its own"))
            #expect(FileManager.default.fileExists(atPath: draft))
        }
    }

    @Test func `may have an index that has just begun to grow`() async throws {
        try await Station.with { station in
            try await station.open().close()
            try Data(count: 4096).write(to: URL(filePath: station.path + "-shm"))
            try await station.open().close()
        }
    }

    @Test(arguments: Stranger.allCases)
    func `are not created for a file that is not a journal`(_ stranger: Stranger) async throws {
        try await Station.with { station in
            try stranger.put(at: station.path)
            let before = try Self.contents(station)
            let expected = stranger == .danglingLink ? "journal-closed" : "journal-foreign"
            #expect(await Self.code { () throws(JournalError) in try await station.open() } == expected)
            #expect(try Self.contents(station) == before)
        }
    }

    @Test func `are not created for another program's SQLite file, even one with a log`()
        async throws
    {
        try await Station.with { station in
            let queue = try DatabaseQueue(path: station.path)
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE journal (id)")
            }
            try queue.close()
            let before = try Self.contents(station)
            for _ in 0..<2 {
                #expect(
                    await Self.code { () throws(JournalError) in try await station.open() }
                        == "journal-foreign")
                #expect(
                    await Self.code { () throws(JournalError) in try await station.reading() }
                        == "journal-foreign")
            }
            #expect(try Self.contents(station) == before)
        }
    }

    @Test(arguments: Stranger.allCases)
    func `replace no other file when a copy is exported`(_ stranger: Stranger) async throws {
        try await Station.with { station in
            let journal = try await station.open()
            defer { journal.close() }
            let copy = station.folder.path + "/copy.sqlite"
            try stranger.put(at: copy + ".new")
            let before = try Self.contents(station)
            let refusal = await problem { () throws(JournalError) in try await journal.export(to: copy) }
            guard case .sideFileForeign(copy + ".new", _) = refusal else {
                Issue.record("\(refusal as Any)")
                return
            }
            #expect(try Self.contents(station) == before)
        }
    }

    @Test func `are removed when the journal itself is refused`() async throws {
        try await Station.with { station in
            try await station.open().close()
            try FileManager.default.removeItem(atPath: station.path + ".lock")
            let queue = try DatabaseQueue(path: station.path)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 7") }
            try queue.close()
            let before = try Self.contents(station)
            #expect(
                await Self.code { () throws(JournalError) in try await station.open() } == "journal-newer")
            #expect(try Self.contents(station) == before)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A journal with two names` {
    private static func refusal(_ path: String) async -> JournalError? {
        do throws(JournalError) {
            _ = try await Journal.open(at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
            return nil
        } catch { return error }
    }

    @Test func `is for one run at a time`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            let twin = station.folder.path + "/twin.sqlite"
            #expect(link(station.path, twin) == 0)
            let refusal = try #require(await Self.refusal(twin))
            #expect(refusal.code == "journal-taken")
            #expect(refusal.description.contains("under another name, by"), "\(refusal)")
            #expect(!FileManager.default.fileExists(atPath: twin + ".lock"))
            journal.close()
        }
    }

    @Test func `can be read, but not written: each name would have a log of its own`() async throws {
        try await Station.with { station in
            _ = try await station.open().begin(Station.record("run-1"))
            let twin = station.folder.path + "/twin.sqlite"
            #expect(link(station.path, twin) == 0)
            for path in [station.path, twin] {
                #expect(await Self.refusal(path)?.problem == .linked(2))
                let beside = await problem { () throws(JournalError) in
                    try await Journal.openWithoutLock(path, work: .onCallersThread)
                }
                #expect(beside == .linked(2))
                let reading = try await Journal.reading(path, work: .onCallersThread)
                #expect(try await reading.latestRun()?.run.id == "run-1")
                reading.close()
            }
            #expect(unlink(twin) == 0)
            #expect(await Self.refusal(station.path) == nil)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A journal whose version number was changed` {
    @Test(arguments: [0, 1, 2]) func `is refused with the right number`(_ number: Int) async throws {
        try await Station.with { station in
            do {
                let journal = try await station.open()
                try journal.connection.executeHere("PRAGMA user_version = \(number)")
                journal.close()
            }
            var refusal: JournalError?
            do throws(JournalError) { _ = try await station.open() } catch { refusal = error }
            #expect(refusal?.problem == .misnumbered(number, is: JournalSchema.present.version))
            #expect(refusal?.code == "journal-damaged")
            #expect(
                refusal?.nextStep.contains("PRAGMA user_version = \(JournalSchema.present.version)") == true)
            // With the number from the error.
            let queue = try DatabaseQueue(path: station.path)
            let version = JournalSchema.present.version
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA user_version = \(version)")
            }
            try queue.close()
            try await station.open().close()
        }
    }

    @Test func `is refused as damaged if its tables match no schema`() async throws {
        try await Station.with { station in
            do {
                let journal = try await station.open()
                try journal.connection.executeHere("PRAGMA user_version = 1; CREATE TABLE more (id)")
                journal.close()
            }
            let refusal = await problem { () throws(JournalError) in try await station.open() }
            guard case .damaged(let words) = refusal else {
                Issue.record("\(refusal as Any)")
                return
            }
            #expect(words.contains("number"), "\(words)")
        }
    }
}
