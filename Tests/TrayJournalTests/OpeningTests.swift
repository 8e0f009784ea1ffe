import Bytes
import Foundation
import GRDB
import TestSupport
import Testing
import Tray

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `A journal's file` {
    @Test func `has a path in UTF-8, also behind a link, or is refused`() async throws {
        try await Station.with { station in
            let folder = station.folder.path + "/" + PathText.text(of: [0x66, 0xFF])
            let link = station.folder.path + "/f"
            #expect(mkdir(folder.systemPath, 0o700) == 0 && symlink(folder.systemPath, link.systemPath) == 0)
            for (path, words) in [
                (folder + "/j.sqlite", "its path is not UTF-8"), (link + "/j.sqlite", "its real path, "),
            ] {
                do throws(JournalError) {
                    _ = try await Journal.open(
                        at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
                    Issue.record("\(PathText.shown(path)) was opened")
                } catch {
                    #expect(error.code == "journal-closed")
                    #expect(error.description.contains(words), "\(error)")
                }
            }
            #expect(rmdir(folder.systemPath) == 0)
        }
    }

    @Test func `is for one run at a time, and a second one learns the owner`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            func second(_ path: String) async -> JournalError? {
                do throws(JournalError) {
                    _ = try await Journal.open(
                        at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
                    return nil
                } catch {
                    return error
                }
            }
            let refusal = try #require(await second(station.path))
            guard case .taken(let owner?) = refusal.problem else {
                Issue.record("\(refusal)")
                return
            }
            #expect(owner.process == getpid() && owner.tray == "line3.yaml")
            #expect(refusal.description.contains("the journal is being used by process \(getpid()) since 2"))
            let link = station.folder.path + "/other name.sqlite"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: station.path)
            #expect(await second(link)?.code == "journal-taken")

            // A copy is a journal of its own, and has the content of the file.
            _ = try await journal.begin(Station.record("run-1"))
            let copy = station.folder.path + "/copy.sqlite"
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: station.path + end, toPath: copy + end)
            }
            let other = try await Journal.open(
                at: copy, owner: JournalOwner(tray: nil), work: .onCallersThread)
            #expect(try await other.latestRun()?.run.id == "run-1")
            #expect(other.incarnation == journal.incarnation)
        }
    }

    @Test
    func `is free at once even if a copy of its lock's descriptor is still open, as in a starting program`()
        async throws
    {
        try await Station.with { station in
            let journal = try await station.open()
            let locks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
                return target == station.path + ".lock"
            }
            let copy = dup(try #require(locks.first.flatMap { Int32($0) }))
            defer { close(copy) }
            journal.close()
            _ = try await station.open()
        }
    }

    @Test func `is free again when its run has ended, whatever is in its lock file`() async throws {
        try await Station.with { station in
            do { _ = try await station.open().begin(Station.record("run-1")) }
            // As a full disk leaves it.
            try Data("{\"process\":47".utf8).write(to: URL(filePath: station.path + ".lock"))
            let again = try await station.open()
            #expect(try await again.latestRun()?.run.id == "run-1")
            again.close()
            let third = try await station.open()
            #expect(third.incarnation == again.incarnation)
            let late = await problem { () throws(JournalError) in
                try await again.begin(Station.record("run-2"))
            }
            #expect(late != nil)
        }
    }

    @Test func `is created with its folder, and only for a run`() async throws {
        try await Station.with { station in
            let path = station.folder.path + "/a/b/journal.sqlite"
            let none = await problem { () throws(JournalError) in
                try await Journal.reading(path, work: .onCallersThread)
            }
            #expect(none == .missing)
            #expect(!FileManager.default.fileExists(atPath: station.folder.path + "/a"))
            let made = try await Journal.open(
                at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
            #expect(made.path.hasSuffix("/a/b/journal.sqlite"))
            let rights = try FileManager.default.attributesOfItem(atPath: station.folder.path + "/a/b")
            #expect(rights[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `may be empty before, or be partly created by a killed run`() async throws {
        try await Station.with { station in
            try Data().write(to: URL(filePath: station.path))
            try Data("SQLite format 3\0 and half of the rest".utf8).write(
                to: URL(filePath: station.path + ".new"))
            _ = try await station.open().begin(Station.record("run-1"))
            #expect(try await station.reading().latestRun()?.run.id == "run-1")
        }
    }

    @Test func `is not mixed with the log of another`() async throws {
        try await Station.with { station in
            let log = station.path + "-wal"
            try Data([0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18]).write(to: URL(filePath: log))
            let refusal = await problem { () throws(JournalError) in try await station.open() }
            #expect(refusal == .damaged("a log (-wal) exists, but the journal itself is missing"))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: station.folder.path) == [
                    "journal.sqlite-wal"
                ])
        }
    }

    @Test func `is not replaced or changed if it is another kind of file`() async throws {
        try await Station.with { station in
            func refusals(_ path: String) async -> [String?] {
                [
                    await problem { () throws(JournalError) in
                        try await Journal.open(
                            at: path, owner: JournalOwner(tray: nil), work: .onCallersThread)
                    },
                    await problem { () throws(JournalError) in
                        try await Journal.reading(path, work: .onCallersThread)
                    },
                    await problem { () throws(JournalError) in
                        try await Journal.openWithoutLock(path, work: .onCallersThread)
                    },
                ].map { $0.map { "\(JournalError($0, at: "").code)" } }
            }
            let text = station.folder.path + "/text"
            try Data(String(repeating: "A text that is no journal. ", count: 99).utf8).write(
                to: URL(filePath: text))
            #expect(await refusals(text) == Array(repeating: "journal-foreign", count: 3))
            let foreign = station.folder.path + "/foreign.sqlite"
            do {
                let queue = try DatabaseQueue(path: foreign)
                try await queue.write {
                    try $0.execute(sql: "CREATE TABLE journal (id); PRAGMA user_version = 1")
                }
            }
            let before = try Data(contentsOf: URL(filePath: foreign))
            #expect(await refusals(foreign) == Array(repeating: "journal-foreign", count: 3))
            #expect(try Data(contentsOf: URL(filePath: foreign)) == before)
            #expect(await refusals(station.folder.path) == Array(repeating: "journal-foreign", count: 3))
            #expect(await refusals("/dev/null") == Array(repeating: "journal-foreign", count: 3))
        }
    }

    @Test func `of a later version is refused, with what to do`() async throws {
        try await Station.with { station in
            do {
                let journal = try await station.open()
                try journal.connection.executeHere("PRAGMA user_version = 7")
            }
            let refusal = await problem { () throws(JournalError) in try await station.open() }
            #expect(refusal == .newer(7, known: 3))
            let reading = await problem { () throws(JournalError) in try await station.reading() }
            #expect(reading == .newer(7, known: 3))
        }
    }

    @Test(arguments: [
        ("/srv/results", "0:50", "nfs4", true), ("/mnt/win share/x", "0:51", "cifs", true),
        ("/home/mei", "0:52", "fuse.sshfs", true), ("/media/stick", "8:17", "fuseblk", false),
        ("/home", "8:1", "ext4", false), ("/", "9:9", "ext4", false),
        ("/data/deep/er", "9:9", "btrfs", false),
        ("/mnt/win", "9:9", "ext4", false),
    ])
    func `is refused on file systems of several machines`(
        folder: String, device: String, name: String, isShared: Bool
    ) throws {
        let mounts = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 0:50 / /srv/results rw shared:2 master:1 - nfs4 server:/results rw,vers=4.2
            31 22 0:51 / /mnt/win\\040share rw - cifs //server/share rw
            32 22 0:52 / /home/mei rw - fuse.sshfs mei@server: rw
            33 22 8:17 / /media/stick rw - fuseblk /dev/sdb1 rw
            34 22 0:60 /sub /data rw - btrfs /dev/sdc rw
            a line that is none
            """
        let kind = try #require(FileSystemKind(device: device, folder: folder, mounts: mounts))
        #expect(kind.name == name)
        #expect(kind.isShared == isShared)
    }

    @Test func `has a known kind of file system`() throws {
        #expect(FileSystemKind(of: "/proc")?.name == "proc")
    }
}
