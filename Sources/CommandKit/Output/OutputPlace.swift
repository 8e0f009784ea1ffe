import Bytes
import Glibc
import Nordic

/// The place of an output file after following all links: nothing yet, a regular file, or a stream.
struct OutputPlace {
    /// The path that has no link as its last component.
    let path: String
    /// The existing file; nil when there is none.
    let present: stat?
    /// Whether it is a pipe or a character device, which stores nothing.
    let isStream: Bool

    /// The kernel's own limit of links (path_resolution(7)).
    private static let linkLimit = 40

    /// Follows `path`. Throws for anything that a file must not replace, and, unless allowed, for pipes and devices.
    init(_ path: String, allowingStreams allowsStreams: Bool = false) throws(CommandFailure) {
        guard path != "-" else {
            throw CommandFailure(
                .command.fileNotWritable, during: "writing the file",
                message: "- stands for stdout, where this cannot be written",
                nextStep: "give the name of a file; write ./- for a file called -")
        }
        var place = path
        for _ in 0...Self.linkLimit {
            var status = stat()
            guard lstat(place.systemPath, &status) == 0 else {
                guard errno == ENOENT else { throw OutputFile.failure(path) }
                (self.path, present, isStream) = (place, nil, false)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                (self.path, present, isStream) = (place, status, false)
                return
            case S_IFIFO where allowsStreams, S_IFCHR where allowsStreams:
                (self.path, present, isStream) = (place, status, true)
                return
            case S_IFLNK:
                try Self.checkOwner(of: place, status, path)
                // Links in /proc can lead to objects without a path, such as pipes: only the kernel can follow those.
                var end = stat()
                if stat(place.systemPath, &end) == 0, end.st_mode & S_IFMT != S_IFREG {
                    guard allowsStreams, [S_IFIFO, S_IFCHR].contains(end.st_mode & S_IFMT) else {
                        throw Self.refusal(path, end)
                    }
                    (self.path, present, isStream) = (place, end, true)
                    return
                }
                place = try Self.target(of: place, path)
            default: throw Self.refusal(path, status)
            }
        }
        errno = ELOOP
        throw OutputFile.failure(path)
    }

    var folder: String { Self.folder(of: path) }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Refuses a link that another user may have planted: in a folder where anyone may create files, such as /tmp, only
    /// the user's own links and those of the folder's owner are followed. The kernel has the same rule (proc_sys_fs(5),
    /// protected_symlinks), but not for a program that reads links itself, as this one does.
    private static func checkOwner(of link: String, _ status: stat, _ path: String) throws(CommandFailure) {
        var around = stat()
        guard stat(folder(of: link).systemPath, &around) == 0 else { throw OutputFile.failure(path) }
        let isShared = around.st_mode & S_ISVTX != 0 && around.st_mode & S_IWOTH != 0
        guard isShared, status.st_uid != geteuid(), status.st_uid != around.st_uid else { return }
        throw CommandFailure(
            .command.fileNotWritable, during: "writing the file",
            message: "\(link) is another user's link in a folder where anyone may create files",
            nextStep: "give the name of the file itself, or another folder")
    }

    private static func target(of link: String, _ path: String) throws(CommandFailure) -> String {
        let room = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: room)
        let count = readlink(link.systemPath, &bytes, room)
        guard count >= 0 else { throw OutputFile.failure(path) }
        let target = PathText.text(of: bytes.prefix(count).map { UInt8(bitPattern: $0) })
        return target.hasPrefix("/") ? target : folder(of: link) + "/" + target
    }

    private static func refusal(_ path: String, _ status: stat) -> CommandFailure {
        let kind =
            switch status.st_mode & S_IFMT {
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

/// The rule for replacing existing files, used for all output (docs/decisions/0026-what-is-never-overwritten.md).
///
/// An existing file is kept unless it is empty, or of the same kind as the output, or `--overwrite` is given. Keys and
/// the run's own inputs are always kept.
package struct OutputRule: Sendable {
    package var inputs: [String] = []
    /// Whether files of other kinds may be lost too.
    var overwrites = false

    package func keeping(_ paths: [String?]) -> OutputRule {
        OutputRule(inputs: inputs + paths.compactMap(\.self), overwrites: overwrites)
    }

    /// How many bytes of the file are examined: no key is longer.
    private static let looked = 64 << 10

    /// Throws if the file that is open for reading as `descriptor`, and named `path` by the user, must not be replaced.
    package func check(_ descriptor: Int32, _ path: String, for kind: OutputKind) throws(CommandFailure) {
        var present = stat()
        guard fstat(descriptor, &present) == 0 else { throw OutputFile.failure(path) }
        guard present.st_mode & S_IFMT == S_IFREG else { return }
        for input in inputs {
            // Compared by device and inode: a link or another spelling of the path is not another file.
            var status = stat()
            guard stat(input.systemPath, &status) == 0, status.st_dev == present.st_dev,
                status.st_ino == present.st_ino
            else { continue }
            let isBuilt = ![.capture, .log].contains(kind)
            throw CommandFailure(
                .command.outputIsInput, during: "writing the file",
                message: "\(path) is the same file as \(input), "
                    + (isBuilt ? "an input of the package" : "which this command reads"))
        }
        guard present.st_size > 0 else { return }
        let head: [UInt8]
        do throws(FileProblem) { head = try FileBytes.contents(of: descriptor, atMost: Self.looked) } catch {
            throw OutputFile.failure(path, error)
        }
        guard !Self.isKey(head, ofFileWith: Int(present.st_size)) else {
            throw CommandFailure(
                .command.wouldDestroyKey, during: "writing the file",
                message: "\(path) holds a key; nothing was written")
        }
        guard overwrites || kind.form.fits(head) else {
            throw CommandFailure(
                .command.fileExists, during: "writing the file",
                message: "\(path) exists already and is not a \(kind.form.words); nothing was written")
        }
    }

    /// Whether `head` may be the start of a key: any form that this program reads, PEM or DER of any kind, or an AES
    /// key in hexadecimal digits.
    static func isKey(_ head: [UInt8], ofFileWith size: Int) -> Bool {
        guard size <= looked else { return false }
        // A DER SEQUENCE that spans the whole file: a key or a certificate.
        if head.count > 3, head[0] == 0x30 {
            let length =
                switch head[1] {
                case ..<0x80: 2 + Int(head[1])
                case 0x81: 3 + Int(head[2])
                case 0x82: 4 + Int(head[2]) << 8 + Int(head[3])
                default: 0
                }
            if length == size { return true }
        }
        let text = KeyText.text(of: head)
        if text.contains("PRIVATE KEY-----") || text.contains("PUBLIC KEY-----") { return true }
        if let bytes = try? HexText.decode(text), [16, 24, 32].contains(bytes.count) { return true }
        return (try? NordicPublicKey(text: text)) != nil
    }
}
