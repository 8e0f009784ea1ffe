import Glibc

/// Where a file is to be written: behind all links, where nothing is yet or a regular file.
struct OutputPlace {
    /// The path that has no link as its last component.
    let path: String
    /// The file that is there; nil when none is.
    let present: stat?

    /// As many links as the kernel follows (path_resolution(7)).
    private static let linkLimit = 40

    /// Follows `path`; refuses what a file must not take the place of.
    init(_ path: String) throws(CommandFailure) {
        var place = path
        for _ in 0...Self.linkLimit {
            var status = stat()
            guard lstat(place, &status) == 0 else {
                guard errno == ENOENT else { throw OutputFile.failure(path) }
                (self.path, present) = (place, nil)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                (self.path, present) = (place, status)
                return
            case S_IFLNK:
                // The links of /proc lead to what has no path, such as a pipe: only the kernel can follow those.
                var end = stat()
                if stat(place, &end) == 0, end.st_mode & S_IFMT != S_IFREG { throw Self.refusal(path, end) }
                place = try Self.target(of: place, path)
            default: throw Self.refusal(path, status)
            }
        }
        errno = ELOOP
        throw OutputFile.failure(path)
    }

    /// The folder that it is in.
    var folder: String { Self.folder(of: path) }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func target(of link: String, _ path: String) throws(CommandFailure) -> String {
        let room = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: room)
        let count = readlink(link, &bytes, room)
        guard count >= 0 else { throw OutputFile.failure(path) }
        let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.hasPrefix("/") ? target : folder(of: link) + "/" + target
    }

    private static func refusal(_ path: String, _ status: stat) -> CommandFailure {
        let kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            case S_IFCHR, S_IFBLK: "a device"
            default: "no file"
            }
        return CommandFailure(
            "file-not-writable", during: "writing the file", message: "\(path) is \(kind)",
            nextStep: "give the name of a file, new or to be replaced")
    }
}
