import Glibc

extension Journal {
    /// Whether a program has the right to run a tray with the journal at `path`; nil if that cannot be determined. Does
    /// not take the lock: even holding it for a moment would keep a run from beginning.
    public static func isInUse(_ path: String) -> Bool? {
        guard let place = try? JournalPlace(path, creating: false) else { return nil }
        var status = stat()
        guard stat(place.path + ".lock", &status) == 0 else { return errno == ENOENT ? false : nil }
        return locks().map { isLocked(UInt64(status.st_ino), in: $0) }
    }

    /// Whether `locks`, in the format of /proc/locks (proc_locks(5)), has a flock(2) lock on the file `number`: the
    /// sixth word is `MAJOR:MINOR:NUMBER`. The device is ignored: on btrfs and overlayfs it differs from the file's.
    static func isLocked(_ number: UInt64, in locks: String) -> Bool {
        locks.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            // A line for a waiting process has an arrow before its kind.
            return words.count >= 6 && words[1] == "FLOCK" && words[5].hasSuffix(":\(number)")
        }
    }

    private static func locks() -> String? {
        let file = Glibc.open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 1 << 22 {
            let count = Glibc.read(file, &piece, piece.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += piece.prefix(count)
        }
        return nil
    }
}
