import Archives
import ByteCoding
import Digests
import Glibc
import NordicDFU
import Vendors

/// A file as it was found on disk, before anybody knows what it is.
struct FirmwareFile: Sendable {
    let path: String
    let bytes: [UInt8]

    /// What would be read if `bytes` were written to `path`.
    init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    /// Reads the file, unless it is larger than any firmware.
    init(path: String) throws(CommandFailure) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                "file-not-found", during: "opening the file", message: "\(path) is not a file")
        }
        let limit = ArchiveLimits().fileBytes
        guard status.st_size <= limit else {
            throw CommandFailure(
                "archive-too-large", during: "reading the file",
                message: "\(path) has \(status.st_size) bytes, at most \(limit) allowed")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path) }
            if count == 0 { break }
            filled += count
        }
        self.bytes = Array(bytes.prefix(filled))
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(
            "file-not-found", during: "opening the file",
            message: "\(path): \(String(cString: strerror(errno)))")
    }

    /// What it is, by its content.
    func recognised() throws(CommandFailure) -> PackageFile {
        do throws(PackageFileError) { return try PackageFile(recognising: bytes) } catch {
            throw CommandFailure(error, in: path)
        }
    }

    /// The members that every inspected file has.
    func line(kind: String, _ members: [String: JSONValue]) -> JSONLine {
        let own: [String: JSONValue] = [
            "file": .text(path), "bytes": .integer(bytes.count), "kind": .text(kind),
            "sha256": .text(HexText.encode(SHA256Digest.digest(bytes))),
        ]
        return JSONLine("inspected", own.merging(members) { $1 })
    }
}

extension CommandFailure {
    // Whatever a device would say later: before the radio is touched, it is the file that is wrong.

    init(_ error: PackageError, in path: String) {
        self.init(
            error.code, during: "reading the package", message: "\(path): \(error)", exit: .badFile)
    }

    init(_ error: PackageFileError, in path: String) {
        self.init(aboutFile: error.code, message: "\(path): \(error)")
    }

    init(_ finding: ByteFinding, in path: String) {
        self.init(aboutFile: finding.id, message: "\(path): \(finding)")
    }

    /// Where devices use the same code, their next step is not the file's.
    private init(aboutFile code: String, message: String) {
        let isOnlyAboutFiles = Explanation.of(code).exit == .badFile
        self.init(
            code, during: "reading the package", message: message,
            nextStep: isOnlyAboutFiles
                ? nil : "get the file again, or build it again, and compare its SHA-256",
            exit: .badFile)
    }
}
