import Vendors

/// A package that was just made: checked as a stranger's would be, then written, then read back.
struct BuiltFile {
    private let bytes: [UInt8]

    /// Nothing that our own reader refuses is ever written.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Writes the package to `path` and says what was written.
    func write(to path: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        let made = FirmwareFile(path: path, bytes: bytes)
        let inspection = FileInspection(try made.recognised(), of: made, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.talk)
            throw CommandFailure(
                "build-refused", during: "checking the package",
                message: "what these options make would be refused; nothing was written")
        }
        try OutputFile.write(bytes, to: path)
        guard try FirmwareFile(path: path).bytes == bytes else {
            throw CommandFailure(
                "file-not-writable", during: "reading the package back",
                message: "\(path) does not have the bytes that were written")
        }
        if console.style.isJSON {
            console.event(JSONLine("built", inspection.line.members))
        } else {
            console.results(inspection.lines)
        }
        return .done
    }
}
