import UpdateCore

/// A package that was just built: checked as any other file is, then written.
struct BuiltFile {
    private let bytes: [UInt8]
    private let rule: OutputRule

    /// Throws where `inspect` would refuse the file; `rule` decides which existing file may be replaced.
    init(_ bytes: [UInt8], under rule: OutputRule) {
        self.bytes = bytes
        self.rule = rule
    }

    /// Writes the package to `path` and says what was written.
    func write(
        to path: String, as kind: OutputKind, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let made = FirmwareFile(path: path, bytes: bytes)
        let inspection = InspectedFile(try made.recognised(), of: made, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.talk)
            throw CommandFailure(
                "build-refused", during: "checking the package",
                message: "what these options make would be refused; nothing was written")
        }
        try OutputFile.write(bytes, to: path, as: kind, under: rule)
        if console.style.isJSON {
            console.event(JSONLine("built", inspection.line.members))
        } else {
            console.results(inspection.lines)
        }
        return .done
    }
}
