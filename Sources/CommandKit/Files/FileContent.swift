import Bytes
import Glibc
import UpdateModel

/// The content of an input file of any kind: firmware, YAML, a list.
package struct FileContent: Sendable {
    package let path: String
    package let bytes: [UInt8]
    /// Whether the content is from stdin or a pipe instead of a regular file.
    package var isStream = false

    /// The content of a file that would have `bytes` at `path`.
    package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    /// Reads the file, unless it is larger than any firmware.
    package init(path: String) throws(CommandFailure) {
        var status = stat()
        // The shell's `<(…)` is a link to a pipe and allowed; a named pipe may never get a writer.
        if lstat(path.systemPath, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            throw CommandFailure(
                .file.fileNotFound, during: "opening the file", message: "\(path) is a pipe, not a file",
                nextStep: "give its content on stdin, with - as the name")
        }
        let file = try InputFile(path: path)
        self.path = file.path
        isStream = file.status.st_mode & S_IFMT != S_IFREG || path == "-"
        let limit = ArchiveLimits().fileBytes
        guard let bytes = try file.contents(atMost: limit) else {
            let size = isStream ? "more than \(limit)" : "\(file.status.st_size)"
            throw CommandFailure(
                .file.archiveTooLarge, during: "reading the file",
                message: "\(file.path) has \(size) bytes, at most \(limit) allowed")
        }
        self.bytes = bytes
    }

    package var sha256: String { HexText.encode(SHA256Digest.digest(bytes)) }
}
