import Bluetooth
import Bytes
import Glibc

/// The side files of a journal. No other files may have their names, since SQLite would overwrite or remove them.
/// (<https://www.sqlite.org/fileformat2.html>, 3 and 4)
enum JournalFiles {
    /// The form of a run's lock file, which a full disk or a power cut may have truncated.
    static let lock = FileForm(
        "lock of a journal",
        beginningsAlsoCut: ["{\"process\":", "{\"since\":", "{\"tray\":"].map { Array($0.utf8) }
            + [[0, 0, 0, 0]])

    /// The form of a journal, or of a copy, that is being created.
    private static let draft = FileForm("draft of a journal") { head in
        // A SQLite file; `application_id` is at offset 68.
        let name = Array("SQLite format 3\0".utf8)
        return head.starts(with: name)
            && (head.count < 72 || head[68..<72].elementsEqual([0x62, 0x64, 0x66, 0x75]))
    }

    // Zeros are accepted: a power cut may leave them in a file that had grown.
    private static let log = FileForm(
        "log of SQLite",
        beginningsAlsoCut: [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0, 0, 0, 0]])
    private static let rollback = FileForm(
        "rollback journal of SQLite",
        beginningsAlsoCut: [[0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], [0, 0, 0, 0, 0, 0, 0, 0]])

    /// Throws if a foreign file has the name of a side file of the journal at `path`. The index (-shm) is not opened,
    /// since closing it would release the locks of another connection of this process. Its size is checked: a multiple
    /// of 4096 bytes, or three bytes (`unixShmMap` of SQLite's os_unix.c).
    static func check(_ path: String) throws(JournalError) {
        _ = try exists(path + "-wal", as: log, path)
        _ = try exists(path + "-journal", as: rollback, path)
        guard let status = FileStatus(of: path + "-shm", followingLinks: false) else { return }
        guard status.kind == S_IFREG, status.size % 4096 == 0 || status.size == 3 else {
            throw JournalError(.sideFileForeign(path + "-shm", "is not an index of SQLite's log"), at: path)
        }
    }

    /// The suffix of an existing log of the journal at `path`, which does not exist; nil if there is none.
    static func orphanedLog(of path: String) throws(JournalError) -> String? {
        if try exists(path + "-wal", as: log, path) { return "-wal" }
        return try exists(path + "-journal", as: rollback, path) ? "-journal" : nil
    }

    /// Removes the draft of the journal at `path` that a killed program has left. Throws if the file has runs: then it
    /// is another journal with this name, or a copy that may be needed.
    static func removeDraft(_ draft: String, of path: String) throws(JournalError) {
        try check(draft)
        guard try !hasRuns(draft) else {
            throw JournalError(.sideFileForeign(draft, "is a journal with runs of its own"), at: path)
        }
        do throws(SideFile.Refusal) { try SideFile.remove(draft, as: Self.draft) } catch {
            throw JournalError(error, at: path)
        }
        deleteDraft(draft)
    }

    /// Deletes a draft that this program has checked or made, and its side files.
    static func deleteDraft(_ draft: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft + suffix) }
    }

    private static func hasRuns(_ draft: String) throws(JournalError) -> Bool {
        guard access(draft, F_OK) == 0 else { return false }
        // A draft has no log before it is complete: this file is a journal in use.
        if let status = FileStatus(of: draft + "-wal"), status.size > 0 { return true }
        // A draft that cannot be read holds no runs.
        guard let connection = try? JournalConnection(at: draft, for: .immutable) else { return false }
        defer { connection.close() }
        return (try? connection.readHere { try Fields.one($0, "SELECT count(*) FROM run").integer(0) > 0 })
            ?? false
    }

    private static func exists(
        _ file: String, as form: FileForm, _ path: String
    ) throws(JournalError) -> Bool {
        do throws(SideFile.Refusal) { return try SideFile.exists(file, as: form) } catch {
            throw JournalError(error, at: path)
        }
    }
}

extension JournalError {
    init(_ refusal: SideFile.Refusal, at path: String) {
        self =
            refusal.errno == 0
            ? JournalError(.sideFileForeign(refusal.path, refusal.words), at: path)
            : .inaccessible(refusal.errno, refusal.path, at: path)
    }
}
