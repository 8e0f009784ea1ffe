package import Bytes
import Firmware
package import UpdateModel

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
