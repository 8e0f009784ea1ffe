package import Bytes
import Firmware
import Glibc
package import UpdateModel

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
        // The shell's `<(…)` is a link to a pipe and allowed; a named pipe may never get a writer.
        if let status = FileStatus(of: path, followingLinks: false), status.kind == S_IFIFO {
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

    package var sha256: String { SHA256Digest.text(of: bytes) }
}

extension FileContent {
    /// The firmware in the file, or the unsupported kind of file that it is.
    package func recognised() throws(CommandFailure) -> PackageFile {
        do throws(FirmwareFileError) { return try PackageFile(recognising: bytes) } catch {
            throw CommandFailure(error, in: path)
        }
    }

    /// The package in the file; throws if it is not firmware for beacons.
    package func vendorFile() throws(CommandFailure) -> any VendorFile {
        switch try recognised() {
        case .firmware(let file): return file
        case .unsupported(let foreign):
            throw CommandFailure(
                foreign.code, during: "reading the package",
                message: "\(path) is \(foreign.kind.rawValue): \(foreign.hint.withOptions)",
                nextStep: foreign.kind == .intelHex ? "build a package from it with `beacon-dfu build`" : nil)
        }
    }

    /// The event `inspected`, with the members that it has for every file, and `members`.
    package func line(kind: String, _ members: [String: JSONValue]) -> JSONLine {
        let own: [String: JSONValue] = [
            "file": .text(path), "bytes": .integer(bytes.count), "kind": .text(kind), "sha256": .text(sha256),
        ]
        return JSONLine("inspected", own.merging(members) { $1 })
    }
}

extension CommandFailure {
    // An error that is found before the radio is used has the exit code of a bad file, even if its code also reports a
    // beacon's refusal.

    package init(_ error: FirmwareFileError, in path: String) {
        self.init(aboutFile: error.code, message: "\(path): \(error)")
    }

    package init(_ finding: Finding, in path: String) {
        let message = "\(path): \(finding)"
        guard finding.part != nil else {
            self.init(aboutFile: finding.code, message: message)
            return
        }
        // A refused part of a package has the same next step as a beacon's refusal.
        self.init(finding.code, during: "reading the package", message: message, exit: .badFile)
    }

    /// If `code` also reports refusals of beacons, its next step does not apply to a file, and another one is given.
    private init(aboutFile code: FailureCode, message: String) {
        self.init(
            code, during: "reading the package", message: message,
            nextStep: code.exit == .badFile
                ? nil : "get the file again, or build it again, and compare its SHA-256",
            exit: .badFile)
    }
}
