import ByteCoding
import Glibc
import Vendors

/// The files to check: those that were named, and those in folders that were named.
struct FileSelection {
    /// A file, and whether it was named on the command line.
    struct Candidate: Sendable {
        let path: String
        let isNamed: Bool
        /// Why it cannot be looked at; nil for what can be tried.
        var refusal: CommandFailure?
    }

    private(set) var candidates: [Candidate] = []
    /// What is in the folders but not a file: pipes, sockets, devices, and links to folders that are looked into anyway.
    private(set) var passedOver = 0
    /// The folder that was named, without links, while it is looked into.
    private var root: String?

    /// Looks into every folder, in the order of names; names that begin with a dot are left out.
    init(_ paths: [String]) {
        for path in paths {
            if Self.kind(of: path, followingLinks: true) == S_IFDIR {
                root = Self.realPath(path)
                add(folder: path)
            } else {
                candidates.append(Candidate(path: path, isNamed: true))
            }
        }
    }

    /// Whether the path names a folder.
    static func isFolder(_ path: String) -> Bool { kind(of: path, followingLinks: true) == S_IFDIR }

    private mutating func add(folder: String) {
        let listing: FolderListing
        do throws(CommandFailure) { listing = try FolderListing(path: folder) } catch {
            // The others are checked all the same.
            candidates.append(Candidate(path: folder, isNamed: true, refusal: error))
            return
        }
        for name in listing.names where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            switch Self.kind(of: path, followingLinks: false) {
            case S_IFDIR: add(folder: path)
            case S_IFREG, nil: candidates.append(Candidate(path: path, isNamed: false))
            case S_IFLNK: add(link: path)
            default: passedOver += 1
            }
        }
    }

    /// A link to a file is that file. One to a folder may lead back, so it is not followed: where it leads to what is
    /// looked into anyway nothing is lost, and anywhere else it is refused.
    private mutating func add(link path: String) {
        switch Self.kind(of: path, followingLinks: true) {
        case S_IFREG, nil: candidates.append(Candidate(path: path, isNamed: false))
        case S_IFDIR:
            guard !leadsInside(path) else {
                passedOver += 1
                return
            }
            let refusal = CommandFailure(
                "link-not-followed", during: "looking into the folder",
                message: "\(path) is a link to a folder elsewhere")
            candidates.append(Candidate(path: path, isNamed: true, refusal: refusal))
        default: passedOver += 1
        }
    }

    private func leadsInside(_ link: String) -> Bool {
        guard let root, let end = Self.realPath(link) else { return false }
        guard end != root else { return true }
        let inside = root == "/" ? root : root + "/"
        return end.hasPrefix(inside)
            && !end.dropFirst(inside.count).split(separator: "/").contains { $0.hasPrefix(".") }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        let bytes = UnsafeBufferPointer(start: real, count: strlen(real))
        return PathText.text(of: bytes.map(UInt8.init(bitPattern:)))
    }

    /// What the path names; nil when it names nothing.
    private static func kind(of path: String, followingLinks: Bool) -> mode_t? {
        var status = stat()
        let result = followingLinks ? stat(path.systemPath, &status) : lstat(path.systemPath, &status)
        return result == 0 ? status.st_mode & S_IFMT : nil
    }
}

extension FileSelection.Candidate {
    /// Whether the name promises firmware, so that other content is worth a finding also in a folder.
    var promisesFirmware: Bool {
        let lowered = path.lowercased()
        return isNamed
            || (KnownVendors.fileExtensions + [".hex", ".bin", ".elf", ".uf2"])
                .contains(where: lowered.hasSuffix)
    }
}
