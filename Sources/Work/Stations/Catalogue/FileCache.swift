import Bluetooth
import Bytes
import Glibc
import UpdateModel

/// A station's copies of the work server's files, by their SHA-256. A file is hashed, written as a draft and then
/// renamed, so that a file with its name is complete. Files are hashed again when they are read.
package struct FileCache: Sendable {
    /// Returns the file with this SHA-256, in lower-case hexadecimal. The cache checks its content.
    package typealias Mirror = @Sendable (String) async throws(WorkError) -> [UInt8]

    /// The folder, with `/` at its end.
    package let folder: String
    private let mirror: Mirror?
    private let report: @Sendable (WorkError) -> Void

    /// The cache in `folder`, which is created with the first file. Missing files come from `mirror`, or from the work
    /// server if there is no mirror or it fails; `report` receives the mirror's error.
    package init(
        _ folder: String, mirror: Mirror? = nil,
        report: @escaping @Sendable (WorkError) -> Void = { _ in }
    ) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        (self.mirror, self.report) = (mirror, report)
    }

    /// The path of the file with the hash `sha256` and the name `name`; fetches it if it is missing or damaged.
    package func path(
        of sha256: String, called name: String, from source: any WorkSource
    ) async throws(WorkError) -> String {
        guard sha256.utf8.count == 64, (try? HexText.decode(sha256)) != nil else {
            throw failure("'\(sha256)' is not a SHA-256")
        }
        let path = "\(folder)sha256/\(sha256)/\(Self.safeFileName(name))"
        if let bytes = Self.contents(of: path), Self.hash(bytes) == sha256 { return path }
        try store(try await fetch(sha256, from: source), at: path)
        return path
    }

    /// The folder of a published catalogue with all its files; fetches missing and damaged ones.
    package func folder(
        of catalogue: PublishedCatalogue, from source: any WorkSource
    ) async throws(WorkError) -> String {
        // The name depends on the content: two work servers may have published different catalogues as one version.
        let text = catalogue.files.sorted { $0.path < $1.path }.map { "\($0.sha256) \($0.path)\n" }.joined()
        let target = "\(folder)catalogue/\(Self.hash(Array(text.utf8)))"
        for file in catalogue.files {
            guard Self.isInside(file.path) else {
                throw failure("the catalogue has an invalid path '\(file.path)'")
            }
            let path = "\(target)/\(file.path)"
            if let bytes = Self.contents(of: path), Self.hash(bytes) == file.sha256 { continue }
            try store(try await fetch(file.sha256, from: source), at: path)
        }
        return target
    }

    private func fetch(_ sha256: String, from source: any WorkSource) async throws(WorkError) -> [UInt8] {
        if let mirror {
            do throws(WorkError) {
                return try Self.checked(
                    try await mirror(sha256), sha256, orElse: .workServer.fileHashMismatch)
            } catch { report(error) }
        }
        return try Self.checked(try await source.file(sha256), sha256, orElse: .workServer.fileDamaged)
    }

    private static func checked(
        _ bytes: [UInt8], _ sha256: String, orElse code: FailureCode
    ) throws(WorkError) -> [UInt8] {
        guard hash(bytes) == sha256 else {
            throw WorkError(
                .notUnderstood, code, during: "fetching a file",
                message: "the file received for \(sha256) has a different hash")
        }
        return bytes
    }

    /// Stores a file as `sha256/HASH`, for an HTTP server that serves the folder as a mirror.
    package func storeForMirror(_ bytes: [UInt8]) throws(WorkError) {
        try store(bytes, at: "\(folder)sha256/\(Self.hash(bytes))")
    }

    /// Whether a path from the work server stays in the folder to which it is added.
    static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.isEmpty && path.utf8.count <= 255 && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// Converts a name from the work server into a safe file name.
    private static func safeFileName(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        return isInside(last) && !last.hasPrefix(".") ? last : "firmware"
    }

    private static func hash(_ bytes: [UInt8]) -> String { SHA256Digest.text(of: bytes) }

    static func contents(of path: String) -> [UInt8]? { FileBytes.contents(of: path, atMost: 16 << 20) }

    /// Files that may be replaced: any content, also damaged, except PEM, which is certainly not from a work server.
    private static let replaceable = FileForm("file of a work server") {
        !$0.starts(with: "-----BEGIN ".utf8)
    }

    func store(_ bytes: [UInt8], at path: String, over form: FileForm = Self.replaceable) throws(WorkError) {
        guard let end = path.lastIndex(of: "/") else { throw failure("'\(path)' is not a path") }
        let parent = String(path[..<end])
        try createFolder(parent)
        do throws(SideFile.Refusal) { try SideFile.exists(path, as: form) } catch {
            throw failure("\(path) \(error.words)")
        }
        do throws(FileProblem) {
            var draft = try FileDraft(in: parent.isEmpty ? "/" : parent, mode: 0o444)
            try draft.append(bytes)
            try draft.flush()
            try draft.replace(path)
        } catch { throw failure(path + error.words) }
    }

    private func createFolder(_ path: String) throws(WorkError) {
        var parent = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            parent += "/" + part
            guard mkdir(parent.systemPath, 0o755) == 0 || errno == EEXIST else {
                throw failure(parent + FileProblem.system(errno).words)
            }
        }
    }

    private func failure(_ message: String) -> WorkError {
        WorkError(
            .refused, .workServer.cacheUnusable, during: "storing a file of the work server", message: message
        )
    }
}
