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
    init(_ paths: [String]) throws(CommandFailure) {
        var candidates: [Candidate] = []
        for path in paths {
            if Self.isFolder(path, followingLinks: true) {
                candidates += try Self.files(in: path)
            } else {
                candidates.append(Candidate(path: path, isNamed: true))
            }
        }
        self.candidates = candidates
    }

    private static func files(in folder: String) throws(CommandFailure) -> [Candidate] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw CommandFailure(
                "file-not-found", during: "reading the folder", message: "\(folder) cannot be read")
        }
        var found: [Candidate] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            if isFolder(path, followingLinks: false) {
                found += try files(in: path)
            } else {
                found.append(Candidate(path: path, isNamed: false))
            }
        }
        return found
    }

    /// Links to folders inside of a folder are not followed: they may lead back.
    private static func isFolder(_ path: String, followingLinks: Bool) -> Bool {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        return result == 0 && status.st_mode & S_IFMT == S_IFDIR
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
