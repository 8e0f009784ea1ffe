import Glibc
import Vendors

/// A package that was just made: checked as a stranger's would be, then written.
struct BuiltFile {
    private let bytes: [UInt8]
    private let inputs: [String]

    /// Nothing that our own reader refuses is ever written, and nothing over `inputs`, the files that it was made of.
    init(_ bytes: [UInt8], from inputs: [String?]) {
        self.bytes = bytes
        self.inputs = inputs.compactMap(\.self)
    }

    /// Writes the package to `path` and says what was written.
    func write(to path: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        try keepInputs(from: path)
        let made = FirmwareFile(path: path, bytes: bytes)
        let inspection = FileInspection(try made.recognised(), of: made, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.talk)
            throw CommandFailure(
                "build-refused", during: "checking the package",
                message: "what these options make would be refused; nothing was written")
        }
        try OutputFile.write(bytes, to: path)
        if console.style.isJSON {
            console.event(JSONLine("built", inspection.line.members))
        } else {
            inspection.lines.forEach(console.result)
        }
        return .done
    }

    /// Files are the same by device and number: a link or another spelling of the path is no other file.
    private func keepInputs(from path: String) throws(CommandFailure) {
        var output = stat()
        guard stat(path, &output) == 0 else { return }
        for input in inputs {
            var status = stat()
            guard stat(input, &status) == 0, status.st_dev == output.st_dev, status.st_ino == output.st_ino
            else { continue }
            throw CommandFailure(
                "output-is-input", during: "writing the file",
                message: "\(path) is the same file as \(input), which the package is made of")
        }
    }
}
