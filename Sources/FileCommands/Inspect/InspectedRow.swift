import Bytes
import CommandKit
import UpdateModel

/// A file of an inspected folder, as a table row and as JSON.
struct InspectedRow {
    static let table = Table(columns: [
        Table.Column(heading: "FILE", width: 12, isElastic: true), Table.Column(heading: "KIND"),
        Table.Column(heading: "VERSION"), Table.Column(heading: "FOR", rank: 1),
        Table.Column(heading: "SIZE", rank: 2),
        Table.Column(heading: "REMARKS", width: 12, isElastic: true, rank: 3),
    ])

    let cells: [TerminalText]
    let line: JSONLine
    let status: ExitStatus

    /// Nil for a file to skip: it is not firmware, and neither the user nor its extension says that it is.
    init?(_ candidate: FileSelection.Candidate, below folder: String, for console: Console) {
        let name = candidate.path.below(folder) ?? candidate.path
        do throws(CommandFailure) {
            if let refusal = candidate.refusal { throw refusal }
            let file = try FileContent(path: candidate.path)
            let content = try file.recognised()
            let inspection = InspectedFile(content, of: file, for: console)
            let words: [String?]
            switch content {
            case .firmware(let firmware):
                words = [
                    firmware.kind.rawValue, firmware.summary.version?.readable, firmware.hardware,
                    Quantities.bytes(file.bytes.count), Self.remarks(on: firmware),
                ]
            case .unsupported(let foreign):
                guard candidate.promisesFirmware else { return nil }
                words = [
                    foreign.kind.rawValue, nil, nil, Quantities.bytes(file.bytes.count),
                    foreign.hint.withOptions,
                ]
            }
            cells = ([name] + words.map { $0 ?? "-" }).map { TerminalText($0) }
            (line, status) = (inspection.line, inspection.status)
        } catch {
            if error.code == .file.archiveTooLarge, !candidate.promisesFirmware { return nil }
            cells = [name, "-", "-", "-", "-", error.code.rawValue].map { TerminalText($0) }
            line = JSONLine("uninspected").adding([
                "file": .text(candidate.path), "code": .text(error.code.rawValue),
                "message": .text(error.message), "next_step": .text(error.nextStep),
            ])
            status = error.exit
        }
    }

    /// The ids of errors, the titles of the parts unless all are applications, and the remarks on the parts.
    private static func remarks(on firmware: any VendorFile) -> String? {
        let parts = firmware.summary.parts
        let titles = parts.allSatisfy(\.isApplication) ? [] : parts.map(\.title)
        let errors = firmware.findings(UpdateOptions()).filter { $0.level == .error }.map(\.id)
        let words = (errors + titles + parts.flatMap(\.remarks)).unique
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension FindingLevel {
    func painted(_ console: Console) -> TerminalText {
        switch self {
        case .error: console.paint(rawValue, .red)
        case .warning: console.paint(rawValue, .yellow)
        case .note: console.paint(rawValue, .dim)
        }
    }
}
