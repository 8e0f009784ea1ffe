import Bytes
import Glibc

/// The kind of file system that a folder is on, by its name in the kernel (proc_pid_mountinfo(5)).
struct FileSystemKind: Hashable {
    /// The kernel's name, for example `ext4`, `nfs4` or `fuse.sshfs`.
    let name: String

    /// File systems that several machines write to, or that show another machine's folder. SQLite's write-ahead log
    /// needs memory that all its users share, and reliable locks (<https://www.sqlite.org/wal.html>). The names are
    /// from `fs/` of the kernel's source, and from mount(8) for file systems outside it.
    private static let shared: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs2", "glusterfs", "gpfs", "lustre",
        "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "pvfs2", "smb3", "smbfs", "vboxsf", "virtiofs",
        "vmhgfs", "wekafs",
    ]

    /// Whether a journal on it would not be safe. File systems that a user's program serves are not safe (`fuse.sshfs`);
    /// disks are (`fuseblk`).
    var isShared: Bool { Self.shared.contains(name) || name == "fuse" || name.hasPrefix("fuse.") }

    /// The kind of the device with these numbers, or otherwise of the nearest mount above `folder`, from the lines of
    /// `/proc/self/mountinfo`:
    ///
    ///     36 35 98:0 /root /mount/point rw,noatime master:1 - ext3 /dev/root rw
    ///
    /// Nil if no line matches: some devices have a different number for each of their parts.
    init?(device: String, folder: String, mounts: String) {
        var nearest: (length: Int, name: Substring)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, dash + 1 < fields.count else { continue }
            let name = fields[dash + 1]
            if fields[2] == device {
                self.name = String(name)
                return
            }
            let point = Self.unescaped(fields[4])
            let isAbove = folder == point || folder.hasPrefix(point == "/" ? "/" : point + "/")
            // Of two mounts at the same folder, the later one hides the earlier one.
            if isAbove, point.utf8.count >= nearest?.length ?? 0 { nearest = (point.utf8.count, name) }
        }
        guard let nearest else { return nil }
        name = String(nearest.name)
    }

    /// The kind of file system that `folder`, an absolute path without links, is on; nil if the system does not report
    /// it.
    init?(of folder: String) {
        guard let status = FileStatus(of: folder),
            let mounts = FileBytes.contents(of: "/proc/self/mountinfo", atMost: Self.mostBytes),
            mounts.count < Self.mostBytes
        else { return nil }
        // The layout of dev_t: makedev(3).
        let device = status.device
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        self.init(
            device: "\(major):\(minor)", folder: folder, mounts: String(decoding: mounts, as: UTF8.self))
    }

    /// The most bytes of `mountinfo` that are read: more than any machine has.
    private static let mostBytes = 1 << 26

    /// Decodes spaces, tabs, line ends and backslashes, which the kernel writes in octal, for example `\040`.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
