import Bluetooth
import Bytes
import FoundationEssentials
import Glibc
import Synchronization
package import Tray

/// The right to run a tray with a journal. It consists of two locks: flock(2) on a lock file in the same folder, which
/// also names the owner; and a socket name made from the inode of the journal's file, which only one program of the
/// machine can bind, for programs that reach the file by another path.
///
/// The kernel releases both when the process ends, in whatever way. flock(2) on the journal itself would not work:
/// closing its descriptor would release SQLite's own locks (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
final class JournalLock: Sendable {
    private struct Held: Sendable {
        var descriptor: Int32
        var inode: NamedLock?
    }

    private let file: String
    private let isNew: Bool
    private let held: Mutex<Held?>

    init(of path: String, for owner: JournalOwner) throws(JournalError) {
        file = path + ".lock"
        let (descriptor, isNew) = try Self.acquire(file, at: path)
        self.isNew = isNew
        held = Mutex(Held(descriptor: descriptor))
        // The text is only for information: the lock is valid without it, for example on a full disk.
        if let text = try? JSONEncoder().encode(owner), ftruncate(descriptor, 0) == 0 {
            _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    deinit { release() }

    /// Locks the inode of the journal's file at `path`, which must exist, against runs that reach it by another path.
    func lockFile(at path: String) throws(JournalError) {
        guard let status = FileStatus(of: path) else { throw .inaccessible(errno, path, at: path) }
        do throws(NamedLock.Owner) {
            let inode = try NamedLock.take("beacon-dfu/journal/\(status.device)-\(status.inode)")
            held.withLock { $0?.inode = inode }
        } catch { throw JournalError(.takenUnderAnotherName("\(error)"), at: path) }
    }

    func release() {
        guard let held = held.withLock({ $0.take() }) else { return }
        // Closing alone may not unlock: a child process that is being started has a copy of the descriptor for a while.
        flock(held.descriptor, LOCK_UN)
        close(held.descriptor)
    }

    /// Releases the lock and removes its file if this run has created it: for a journal that was refused.
    func withdraw() {
        held.withLock { held in
            // The file is removed before it is unlocked: a program that has opened it meanwhile then notices this.
            if held != nil, isNew { unlink(file) }
        }
        release()
    }

    /// Opens and locks the lock file, and checks that the locked file is still the one with this name.
    private static func acquire(
        _ file: String, at path: String
    ) throws(JournalError) -> (descriptor: Int32, isNew: Bool) {
        // Another run may remove the file meanwhile, a few times in a row at most.
        for _ in 0..<100 {
            let opened: (descriptor: Int32, isNew: Bool)
            do throws(SideFile.Refusal) { opened = try SideFile.open(file, as: JournalFiles.lock) } catch {
                throw JournalError(error, at: path)
            }
            guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(opened.descriptor) }
                guard errno == EWOULDBLOCK else { throw .inaccessible(errno, file, at: path) }
                throw JournalError(.taken(owner(in: opened.descriptor)), at: path)
            }
            var (own, named) = (stat(), stat())
            let found = [fstat(opened.descriptor, &own), lstat(file, &named)]
            if found == [0, 0], own.st_ino == named.st_ino, own.st_dev == named.st_dev { return opened }
            close(opened.descriptor)
        }
        throw .inaccessible(EAGAIN, file, at: path)
    }

    /// The most bytes of a lock file that are read: more than any owner's entry.
    private static let mostBytes = 8192

    private static func owner(in descriptor: Int32) -> JournalOwner? {
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return try? JSONDecoder().decode(JournalOwner.self, from: Data(bytes.prefix(max(0, count))))
    }
}

/// The process that runs a tray with a journal.
package struct JournalOwner: Hashable, Codable, Sendable, CustomStringConvertible {
    package let process: Int32
    package let since: RecordedTime
    /// The name of the tray that it runs; nil for a tray without a file.
    package let tray: String?

    package init(tray: String?) { (process, since, self.tray) = (getpid(), .now, tray) }

    /// `process 4711 since 2026-11-23T08:00:00.000Z, for line3.yaml`.
    package var description: String {
        "process \(process) since \(since)" + (tray.map { ", for \($0)" } ?? "")
    }
}

/// Keeps other programs from creating or changing the tables of journals in a folder: flock(2) on the folder itself,
/// which leaves no file. It is held for milliseconds, so we wait; the timeout guards against other users, who can take it
/// too.
final class FolderLock {
    private static let timeout = Duration.seconds(10)
    private let descriptor: Int32

    init(of folder: String, for path: String) throws(JournalError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .inaccessible(errno, folder, at: path) }
        let end = SuspendingClock.now + Self.timeout
        // flock(2) has no deadline of its own.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR, SuspendingClock.now < end else {
                throw number == EWOULDBLOCK
                    ? JournalError(.busy, at: path) : .inaccessible(number, folder, at: path)
            }
            usleep(10_000)
        }
    }

    deinit {
        // Closing alone may not unlock: a child process that is being started has a copy of the descriptor for a while.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
