import Bytes
import Glibc

/// The place of an output file after following all links: nothing yet, a regular file, or a stream.
struct OutputPlace {
    /// The path that has no link as its last component.
    let path: String
    /// The existing file; nil if there is none.
    let existing: FileStatus?
    /// Whether it is a pipe or a character device, which stores nothing.
    let isStream: Bool

    /// The kernel's own limit of links (path_resolution(7)).
    private static let linkLimit = 40

    /// Follows `path`. Throws for anything that a file must not replace, and, unless allowed, for pipes and devices.
    init(_ path: String, allowingStreams allowsStreams: Bool = false) throws(CommandFailure) {
        try require(
            path != "-", .command.fileNotWritable, during: "writing the file",
            message: "- stands for stdout, where this cannot be written",
            nextStep: "give the name of a file; write ./- for a file called -")
        var place = path
        for _ in 0...Self.linkLimit {
            guard let status = FileStatus(of: place, followingLinks: false) else {
                guard errno == ENOENT else { throw OutputFile.failure(path) }
                (self.path, existing, isStream) = (place, nil, false)
                return
            }
            switch status.kind {
            case S_IFREG:
                (self.path, existing, isStream) = (place, status, false)
                return
            case S_IFIFO where allowsStreams, S_IFCHR where allowsStreams:
                (self.path, existing, isStream) = (place, status, true)
                return
            case S_IFLNK:
                try Self.checkOwner(of: place, status, path)
                // Links in /proc can lead to objects without a path, such as pipes: only the kernel can follow those.
                if let end = FileStatus(of: place), end.kind != S_IFREG {
                    guard allowsStreams, [S_IFIFO, S_IFCHR].contains(end.kind) else {
                        throw Self.refusal(path, end)
                    }
                    (self.path, existing, isStream) = (place, end, true)
                    return
                }
                place = try Self.target(of: place, path)
            default: throw Self.refusal(path, status)
            }
        }
        errno = ELOOP
        throw OutputFile.failure(path)
    }

    /// Refuses a link that another user may have planted: in a folder where anyone may create files, such as /tmp, only
    /// the user's own links and those of the folder's owner are followed. The kernel has the same rule (proc_sys_fs(5),
    /// protected_symlinks), but not for a program that reads links itself, as this one does.
    private static func checkOwner(of link: String, _ status: FileStatus, _ path: String)
        throws(CommandFailure)
    {
        guard let folderStatus = FileStatus(of: link.parentFolder) else { throw OutputFile.failure(path) }
        let isShared = folderStatus.mode & S_ISVTX != 0 && folderStatus.mode & S_IWOTH != 0
        guard isShared, status.owner != geteuid(), status.owner != folderStatus.owner else { return }
        throw CommandFailure(
            .command.fileNotWritable, during: "writing the file",
            message: "\(link) is another user's link in a folder where anyone may create files",
            nextStep: "give the name of the file itself, or another folder")
    }

    private static func target(of link: String, _ path: String) throws(CommandFailure) -> String {
        let capacity = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: capacity)
        let count = readlink(link.systemPath, &bytes, capacity)
        guard count >= 0 else { throw OutputFile.failure(path) }
        let target = PathText.text(of: bytes.prefix(count).map { UInt8(bitPattern: $0) })
        return target.hasPrefix("/") ? target : link.parentFolder + "/" + target
    }

    private static func refusal(_ path: String, _ status: FileStatus) -> CommandFailure {
        let kind =
            switch status.kind {
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            case S_IFCHR, S_IFBLK: "a device"
            default: "not a file"
            }
        return CommandFailure(
            .command.fileNotWritable, during: "writing the file", message: "\(path) is \(kind)",
            nextStep: "give the name of a file, new or to be replaced")
    }
}
