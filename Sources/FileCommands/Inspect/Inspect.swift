import ArgumentParser
import Bytes
import CommandKit
import UpdateModel

package struct Inspect: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Recognise a firmware file by its content and print everything in it.",
        discussion: """
            Examples: `beacon-dfu inspect firmware.zip`; `beacon-dfu inspect dist/` prints a line for each file that \
            `validate dist/` would check.
            """)

    @Argument(help: "The file, or a folder of files.", completion: .file()) var file: String
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard !FileSelection.isFolder(file) else { return try inspectFolder(console) }
        let file = try FileContent(path: file)
        let inspection = InspectedFile(try file.recognised(), of: file, for: console)
        console.report(inspection.line) { console.results(inspection.lines) }
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
            JSONLine("folder").adding([
                "folder": .text(file), "files": .integer(rows.count), "passed_over": .integer(passedOver),
                "flawed": .integer(rows.count { $0.status != .done }),
            ]))
        guard !rows.isEmpty else {
            console.notice("no firmware was found in \(file)")
            return .nothingToDo
        }
        if !console.style.isJSON { InspectedRow.table.print(rows.map(\.cells), on: console) }
        return rows.contains { $0.status == .noFile }
            ? .noFile : rows.contains { $0.status == .badFile } ? .badFile : .done
    }
}

/// The content of a file, as JSON and as text.
struct InspectedFile {
    let line: JSONLine
    private(set) var lines: [TerminalText]
    let status: ExitStatus

    init(_ content: PackageFile, of file: FileContent, for console: Console) {
        switch content {
        case .firmware(let firmware):
            let inspection = firmware.inspection
            let findings = firmware.findings(UpdateOptions())
            line = file.line(
                kind: firmware.kind.rawValue,
                inspection.members.merging(["findings": .list(findings.map(\.inspected))]) { $1 })
            let heading: TerminalText =
                "\(console.paint(file.path, .bold)): \(inspection.title), \(Quantities.bytes(file.bytes.count))"
            lines = [heading]
            if let remark = inspection.remark { lines += ["", TerminalText(remark)] }
            for section in inspection.sections { lines += [""] + section.lines(console) }
            if !findings.isEmpty { lines += ["", "findings"] }
            lines += findings.map { "  \($0.level.painted(console)) \($0.id): \($0)" }
            for endnote in inspection.endnotes { lines += ["", TerminalText(endnote)] }
            status = findings.firstError == nil ? .done : .badFile
        case .unsupported(let foreign):
            let kind = foreign.kind.rawValue
            let members = foreign.content?.members ?? [:]
            line = file.line(kind: kind, members.merging(["hint": .text(foreign.hint.withOptions)]) { $1 })
            let rows = foreign.content?.sections.flatMap { $0.lines(console) } ?? []
            lines = ["\(file.path): \(kind)"] + (rows.isEmpty ? [] : [""] + rows + [""])
            lines.append("hint: \(foreign.hint.withOptions)")
            status = .badFile
        }
    }
}

extension FileInspection { fileprivate var members: [String: JSONValue] { facts.mapValues(JSONValue.init) } }

extension FileInspection.Section {
    /// The heading, if there is one, then names and values in two columns.
    fileprivate func lines(_ console: Console) -> [TerminalText] {
        let width = heading == nil ? 16 : 12
        return (heading.map { [console.paint(TerminalText($0), .bold)] } ?? [])
            + rows.map { "  \(TerminalText($0.name).fitted(to: width))\($0.value.painted(console))" }
    }
}

extension Finding {
    /// The finding in JSON: with part and entry if it concerns an archive's entry, else with the offset in the file.
    fileprivate var inspected: JSONValue {
        let place: [String: JSONValue] =
            place.entry == nil
            ? ["offset": place.offset.map(JSONValue.integer) ?? .null, "field": .optional(place.field)]
            : ["role": .optional(part), "entry": .optional(place.entry), "field": .optional(place.field)]
        return .object(
            [
                "id": .text(id), "level": .text(level.rawValue), "message": .text(message),
            ].merging(place) { $1 })
    }
}
