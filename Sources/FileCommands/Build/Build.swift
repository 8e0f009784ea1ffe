import ArgumentParser
import CommandKit
import UpdateModel

package struct Build: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Make a package from firmware.",
        discussion: """
            Example: `beacon-dfu build nordic lamp.zip --application lamp.hex --application-version 3 --hw-version 52 \
            --sd-req 0x98 --key-file product.pem`.

            The same input gives the same bytes. The written file is read back and checked.
            """,
        subcommands: [
            BuildNordic.self, BuildNordicLegacy.self, BuildMCUboot.self, BuildSUOTA.self, BuildFBeacon.self,
        ])
}

extension WritingCommand {
    /// Checks a built package, writes it and prints its content. Throws before writing if `inspect` would refuse it.
    func write(
        _ bytes: [UInt8], to path: String, as kind: OutputKind, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let built = FileContent(path: path, bytes: bytes)
        let inspection = InspectedFile(try built.recognised(), of: built, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.notice)
            throw CommandFailure(
                .file.buildRefused, during: "checking the package",
                message: "a package with these options would be refused; nothing was written")
        }
        try OutputFile.write(bytes, to: path, as: kind, under: outputs)
        console.report(JSONLine("built", inspection.line.members)) { console.results(inspection.lines) }
        return .done
    }
}
