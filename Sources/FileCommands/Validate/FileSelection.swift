import Bytes
import CommandKit
import Firmware
import Glibc
import UpdateModel

/// The files to check: named files, and the files in named folders.
struct FileSelection {
    struct Candidate: Sendable {
        let path: String
        /// False for a file that was found in a folder, and is skipped if it is not firmware.
        let isNamed: Bool
        /// Why the file cannot be checked; nil if its content decides.
        var refusal: CommandFailure?
    }

    private(set) var candidates: [Candidate] = []
    /// The number of skipped entries: pipes, sockets, devices, and links to folders that are searched anyway.
    private(set) var passedOver = 0
    /// The resolved path of the named folder that is being searched.
    private var root: String?

    /// Searches the folders among `paths`, in the order of names, and skips names that begin with a dot.
    init(_ paths: [String]) {
        for path in paths {
            if Self.isFolder(path) {
                root = FileBytes.realPath(of: path)
                add(folder: path)
            } else {
                candidates.append(Candidate(path: path, isNamed: true))
            }
        }
    }

    static func isFolder(_ path: String) -> Bool { kind(of: path, followingLinks: true) == S_IFDIR }

    private mutating func add(folder: String) {
        let names: [String]
        do throws(CommandFailure) { names = try InputFile.names(inFolder: folder) } catch {
            // The other folders are still checked.
            candidates.append(Candidate(path: folder, isNamed: true, refusal: error))
            return
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder.entry(name)
            switch Self.kind(of: path, followingLinks: false) {
            case S_IFDIR: add(folder: path)
            case S_IFREG, nil: candidates.append(Candidate(path: path, isNamed: false))
            case S_IFLNK: add(link: path)
            default: passedOver += 1
            }
        }
    }

    /// A link to a file counts as the file. A link to a folder may form a cycle, so it is not followed: it is skipped
    /// if its target is searched anyway, and otherwise refused.
    private mutating func add(link path: String) {
        switch Self.kind(of: path, followingLinks: true) {
        case S_IFREG, nil: candidates.append(Candidate(path: path, isNamed: false))
        case S_IFDIR:
            guard !leadsInside(path) else {
                passedOver += 1
                return
            }
            let refusal = CommandFailure(
                .file.linkNotFollowed, during: "searching the folder",
                message: "\(path) is a link to another folder")
            candidates.append(Candidate(path: path, isNamed: true, refusal: refusal))
        default: passedOver += 1
        }
    }

    private func leadsInside(_ link: String) -> Bool {
        guard let root, let end = FileBytes.realPath(of: link) else { return false }
        guard end != root else { return true }
        let inside = root == "/" ? root : root + "/"
        return end.hasPrefix(inside)
            && !end.dropFirst(inside.count).split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// The type of the file at `path`; nil if there is none.
    private static func kind(of path: String, followingLinks: Bool) -> mode_t? {
        FileStatus(of: path, followingLinks: followingLinks)?.kind
    }
}

extension FileSelection.Candidate {
    /// Whether the file was named or its extension promises firmware: then content that is no firmware is reported, and
    /// not skipped.
    var promisesFirmware: Bool {
        let lowered = path.lowercased()
        return isNamed
            || (KnownVendors.fileExtensions + [".hex", ".bin", ".elf", ".uf2"])
                .contains(where: lowered.hasSuffix)
    }
}
