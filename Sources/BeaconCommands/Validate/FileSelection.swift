import FoundationEssentials
import Glibc

/// Files to be checked: those that were named, and what the folders that were named hold.
struct FileSelection {
    /// A file, and whether somebody named it.
    struct Candidate: Sendable {
        let path: String
        let isNamed: Bool
    }

    let candidates: [Candidate]

    /// Looks into every folder, in the order of names; what begins with a point is left out.
    init(_ paths: [String]) {
        var candidates: [Candidate] = []
        for path in paths {
            if Self.kind(of: path, followingLinks: true) == S_IFDIR {
                candidates += Self.files(in: path)
            } else {
                candidates.append(Candidate(path: path, isNamed: true))
            }
        }
        self.candidates = candidates
    }

    private static func files(in folder: String) -> [Candidate] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            // The others are checked all the same; opening this one says why it cannot be read.
            return [Candidate(path: folder, isNamed: true)]
        }
        var found: [Candidate] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            switch kind(of: path, followingLinks: false) {
            case S_IFDIR: found += files(in: path)
            // A link that leads nowhere is worth a word; one to a folder may lead back, and a pipe never ends.
            case S_IFLNK where ![S_IFREG, nil].contains(kind(of: path, followingLinks: true)): break
            case S_IFREG, S_IFLNK: found.append(Candidate(path: path, isNamed: false))
            default: break
            }
        }
        return found
    }

    /// What the path names; nil when it names nothing.
    private static func kind(of path: String, followingLinks: Bool) -> mode_t? {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? status.st_mode & S_IFMT : nil
    }
}

extension FileSelection.Candidate {
    /// Whether the name promises firmware, so that other content is worth a finding also in a folder.
    var promisesFirmware: Bool {
        let lowered = path.lowercased()
        return isNamed
            || [".zip", ".img", ".dfu", ".fbu", ".hex", ".bin", ".elf", ".uf2"].contains(
                where: lowered.hasSuffix)
    }
}
