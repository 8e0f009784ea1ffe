import CommandKit
import Nordic
import UpdateModel

/// A package that was just built: checked like any other file, then written.
struct BuiltFile {
    private let bytes: [UInt8]
    private let rule: OutputRule

    /// The file of `bytes`; `rule` decides which existing file may be replaced.
    init(_ bytes: [UInt8], under rule: OutputRule) {
        self.bytes = bytes
        self.rule = rule
    }

    /// Checks the package, writes it to `path` and prints its content. Throws if `inspect` would refuse it.
    func write(
        to path: String, as kind: OutputKind, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let made = FirmwareFile(path: path, bytes: bytes)
        let inspection = InspectedFile(try made.recognised(), of: made, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.talk)
            throw CommandFailure(
                .nordicFile.buildRefused, during: "checking the package",
                message: "a package with these options would be refused; nothing was written")
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
