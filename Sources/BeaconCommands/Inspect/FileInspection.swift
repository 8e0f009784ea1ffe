import ByteCoding
import DialogSUOTA
import FBeacon
import Vendors

/// Everything that is known about a file, as JSON and as text.
struct FileInspection {
    let line: JSONLine
    let lines: [TerminalText]
    let status: ExitStatus

    init(_ content: PackageFile, of file: FirmwareFile, for console: Console) {
        switch content {
        case .nordicSecure(let package):
            let inspection = NordicInspection(package, of: file, for: console)
            (line, lines) = (inspection.line, inspection.lines)
            status = inspection.isSound ? .done : .badFile
        case .nordicLegacy(let package):
            let inspection = NordicInspection(package, of: file, for: console)
            (line, lines) = (inspection.line, inspection.lines)
            status = inspection.isSound ? .done : .badFile
        case .suota(let image):
            let findings = image.findings()
            line = file.line(kind: "suota", image.members.merging(findings.members) { $1 })
            lines =
                Self.heading(file, "Dialog SUOTA image", console) + image.rows(console).aligned
                + findings.lines(console)
            status = findings.status
        case .fbeacon(let content):
            let findings = content.findings()
            line = file.line(kind: "fbeacon", content.members.merging(findings.members) { $1 })
            lines =
                Self.heading(file, content.name, console) + content.rows(console).aligned
                + findings.lines(console) + (content.hint.map { ["", "hint: \($0)"] } ?? [])
            status = findings.status
        case .unsupported(let foreign):
            var members: [String: JSONValue] = ["hint": .text(foreign.hint)]
            if let flash = foreign.flash { members["flash"] = flash.member }
            line = file.line(kind: foreign.kind.rawValue, members)
            lines =
                ["\(file.path): \(foreign.kind.rawValue)"]
                + (foreign.flash.map { [""] + $0.rows.aligned + [""] } ?? []) + ["hint: \(foreign.hint)"]
            status = .badFile
        }
    }

    private static func heading(_ file: FirmwareFile, _ what: String, _ console: Console) -> [TerminalText] {
        ["\(console.paint(file.path, .bold)): \(what), \(Quantities.bytes(file.bytes.count))", ""]
    }
}

extension [(String, TerminalText)] {
    /// Names and values in two columns.
    fileprivate var aligned: [TerminalText] {
        map { "  \(TerminalText($0).fitted(to: 16))\($1)" }
    }
}

extension [ByteFinding] {
    fileprivate var status: ExitStatus { firstError == nil ? .done : .badFile }

    fileprivate var members: [String: JSONValue] {
        [
            "findings": .list(
                map {
                    .object([
                        "id": .text($0.id), "level": .text($0.level.rawValue), "offset": .integer($0.offset),
                        "field": .text($0.field), "message": .text($0.message),
                    ])
                })
        ]
    }

    fileprivate func lines(_ console: Console) -> [TerminalText] {
        guard !isEmpty else { return [] }
        return ["", "findings"]
            + map { "  \($0.level.painted(console)) \($0.id): \($0)" }
    }
}
