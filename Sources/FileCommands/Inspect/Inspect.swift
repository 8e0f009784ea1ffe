package import ArgumentParser
import CommandKit
import Glibc
import UpdateModel

package struct Inspect: RunningCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Recognise a firmware file by its content and print everything in it.",
        discussion: """
            Examples: `beacon-dfu inspect firmware.zip`; `beacon-dfu inspect dist/` prints a line for each file that \
            `validate dist/` would check.
            """)

    @Argument(help: "The file, or a folder of files.", completion: .file()) var file: String
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard !FileSelection.isFolder(file) else { return try inspectFolder(console) }
        let file = try FirmwareFile(path: file)
        let inspection = InspectedFile(try file.recognised(), of: file, for: console)
        console.style.isJSON ? console.event(inspection.line) : console.results(inspection.lines)
        return inspection.status
    }

    private func inspectFolder(_ console: Console) throws -> ExitStatus {
        let selection = FileSelection([file])
        var rows: [InspectedRow] = []
        for candidate in selection.candidates {
            try Task.checkCancellation()
            guard let row = InspectedRow(candidate, below: file, for: console) else { continue }
            console.event(row.line)
            rows.append(row)
        }
        let passedOver = selection.passedOver + selection.candidates.count - rows.count
        console.event(
            JSONLine(
                "folder",
                [
                    "folder": .text(file), "files": .integer(rows.count), "passed_over": .integer(passedOver),
                    "flawed": .integer(rows.count { $0.status != .done }),
                ]))
        guard !rows.isEmpty else {
            console.talk("no firmware was found in \(file)")
            return .nothingToDo
        }
        if !console.style.isJSON {
            let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
            InspectedRow.table.lines(rows.map(\.cells), width: width).forEach(console.result)
        }
        return rows.contains { $0.status == .noFile }
            ? .noFile : rows.contains { $0.status == .badFile } ? .badFile : .done
    }

    package init() {}
}
