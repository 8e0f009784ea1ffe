import ByteCoding
import Digests
import Glibc
import PacketSockets
public import WorkOrders

/// The files of an engine that a station has, by their SHA-256: written under another name, hashed, and then named, so that what has a
/// name is whole. What is read is hashed again.
public struct FileCache: Sendable {
    /// The folder, with `/` at its end.
    public let folder: String
    private let mirror: (any FileSource)?
    private let tell: @Sendable (WorkError) -> Void

    /// The cache in `folder`, which is made with the first file. Files that it lacks come from `mirror` where one has them, and else from the
    /// engine: `tell` learns why.
    public init(
        _ folder: String, mirror: (any FileSource)? = nil,
        telling tell: @escaping @Sendable (WorkError) -> Void = { _ in }
    ) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        (self.mirror, self.tell) = (mirror, tell)
    }

    /// Where the file of `sha256` is, under the name `name`; it is fetched from `source` where it is not there, or is not what it was.
    public func path(
        of sha256: String, called name: String, from source: any WorkSource
    ) async throws(WorkError) -> String {
        guard sha256.utf8.count == 64, (try? HexText.decode(sha256)) != nil else {
            throw failure("a file's hash is '\(sha256)'")
        }
        let path = "\(folder)sha256/\(sha256)/\(Self.plain(name))"
        if let bytes = Self.contents(of: path), Self.hash(bytes) == sha256 { return path }
        try keep(try await fetch(sha256, from: source), at: path)
        return path
    }

    /// The folder of a published catalogue with all its files; fetched as far as they are not there.
    public func folder(
        of catalogue: PublishedCatalogue, from source: any WorkSource
    ) async throws(WorkError) -> String {
        // The name tells what is in it: a version that was published anew by another engine is another folder.
        let text = catalogue.files.sorted { $0.path < $1.path }.map { "\($0.sha256) \($0.path)\n" }.joined()
        let target = "\(folder)catalogue/\(HexText.encode(SHA256Digest.digest(text.utf8)))"
        for file in catalogue.files {
            guard Self.isInside(file.path) else { throw failure("a file of the catalogue is '\(file.path)'") }
            let path = "\(target)/\(file.path)"
            if let bytes = Self.contents(of: path), Self.hash(bytes) == file.sha256 { continue }
            try keep(try await fetch(file.sha256, from: source), at: path)
        }
        return target
    }

    /// What has this hash, from the mirror, or else from `source`.
    private func fetch(_ sha256: String, from source: any WorkSource) async throws(WorkError) -> [UInt8] {
        if let mirror {
            do throws(WorkError) {
                return try Self.checked(try await mirror.file(sha256), sha256)
            } catch { tell(error) }
        }
        return try Self.checked(try await source.file(sha256), sha256)
    }

    private static func checked(_ bytes: [UInt8], _ sha256: String) throws(WorkError) -> [UInt8] {
        guard hash(bytes) == sha256 else {
            throw WorkError(
                .notUnderstood, "file-hash-mismatch", during: "fetching a file",
                message: "what came for \(sha256) has another hash")
        }
        return bytes
    }

    /// Keeps a file as a mirror has it, `sha256/` and its hash, for a server of HTTP that has the folder.
    public func keepForOthers(_ bytes: [UInt8]) throws(WorkError) {
        try keep(bytes, at: "\(folder)sha256/\(Self.hash(bytes))")
    }

    /// Whether a path of others stays in its folder.
    static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.isEmpty && path.utf8.count <= 255 && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// A name of others as one of a file here.
    private static func plain(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        return isInside(last) && !last.hasPrefix(".") ? last : "firmware"
    }

    private static func hash(_ bytes: [UInt8]) -> String { HexText.encode(SHA256Digest.digest(bytes)) }

    static func contents(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 16 << 20 else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { bytes in
                read(file, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            guard got > 0 else { return nil }
            count += got
        }
        return bytes
    }

    /// What is named by its hash may be anything, damaged too, but for what was certainly not fetched from an engine.
    private static let named = FileForm("file of an engine") { !$0.starts(with: "-----BEGIN ".utf8) }

    func keep(_ bytes: [UInt8], at path: String, over form: FileForm = Self.named) throws(WorkError) {
        guard let end = path.lastIndex(of: "/") else { throw failure("'\(path)' is no path") }
        try makeFolder(String(path[..<end]))
        do throws(SideFile.Refusal) { try SideFile.look(path, for: form) } catch {
            throw failure("\(path) \(error.words)")
        }
        let draft = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o444)
        guard file >= 0 else { throw failure("\(draft): \(Self.words)") }
        var count = 0
        while count < bytes.count {
            let put = bytes.withUnsafeBytes { bytes in
                write(file, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            guard put > 0 else {
                defer { unlink(draft) }
                close(file)
                throw failure("\(draft): \(Self.words)")
            }
            count += put
        }
        let isKept = fsync(file) == 0
        close(file)
        guard isKept, rename(draft, path) == 0 else {
            defer { unlink(draft) }
            throw failure("\(path): \(Self.words)")
        }
    }

    private func makeFolder(_ path: String) throws(WorkError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw failure("\(made): \(Self.words)") }
        }
    }

    private static var words: String { String(cString: strerror(errno)) }

    private func failure(_ message: String) -> WorkError {
        WorkError(.refused, "cache-unusable", during: "keeping a file of the engine", message: message)
    }
}
