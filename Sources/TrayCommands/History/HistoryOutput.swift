import Bytes
package import CommandKit
import Tray
import TrayJournal
import UpdateModel

/// Prints attempts: line by line as they are read, or as one table at the end.
struct HistoryOutput {
    enum Form {
        case table
        case spreadsheet
        case json
    }

    private let form: Form
    private let console: Console
    private var rows: [[TerminalText]] = []

    init(_ form: Form, on console: Console) {
        (self.form, self.console) = (form, console)
        if form == .spreadsheet {
            console.result(TerminalText(SpreadsheetText(RecordField.ofHistory.map(\.name)).line))
        }
    }

    mutating func print(_ row: HistoryRow) {
        switch form {
        case .table: rows.append(row.cells)
        case .json: console.json(row.line)
        case .spreadsheet:
            let cells = RecordField.ofHistory.map { $0.value(row.source)?.cell }
            console.result(TerminalText(SpreadsheetText(cells).line))
        }
    }

    func end() { if !rows.isEmpty { Table(columns: HistoryRow.tableColumns).print(rows, on: console) } }
}

extension HistoryRow {
    fileprivate var source: FieldSource { FieldSource(attempt, of: unit, of: run) }

    package var line: JSONLine {
        let members = RecordField.ofHistory.map { ($0.name, JSONValue($0.value(source))) }
        return JSONLine("attempt", Dictionary(members) { first, _ in first })
    }

    static let tableColumns = [
        Table.Column(heading: "BEGAN (UTC)"), Table.Column(heading: "OUTCOME"),
        Table.Column(heading: "ADDRESS"), Table.Column(heading: "ID", isElastic: true, rank: 3),
        Table.Column(heading: "NAME", isElastic: true, rank: 4), Table.Column(heading: "SLOT", rank: 5),
        Table.Column(heading: "FILE", width: 12, isElastic: true, rank: 1),
        Table.Column(heading: "VERSION", rank: 1), Table.Column(heading: "VERIFIED", rank: 2),
        Table.Column(heading: "CODE", rank: 2), Table.Column(heading: "ORDER", isElastic: true, rank: 6),
        Table.Column(heading: "STATION", isElastic: true, rank: 7), Table.Column(heading: "RUN", rank: 8),
    ]

    package var cells: [TerminalText] {
        let from = attempt.versionBefore ?? "?"
        let to = attempt.versionAfter ?? attempt.firmware?.version
        let outcome = attempt.verdict?.outcome.rawValue ?? "not ended"
        let texts = [
            attempt.began.toSeconds, run.isSimulated == true ? outcome + ", simulated" : outcome,
            String(attempt.address.prefix { $0 != "/" }), unit.identifier, unit.name,
            run.isSingle == true ? "single" : unit.slot,
            attempt.firmware.map { String($0.path.split(separator: "/").last ?? "") },
            to.map { $0 == from ? from : "\(from) → \($0)" } ?? from, attempt.verified, attempt.verdict?.code,
            run.orderNumber, run.station, String(run.id.prefix(8)),
        ]
        return texts.map { TerminalText($0 ?? "-") }
    }
}

extension RecordValue {
    /// The value as a spreadsheet cell; decimals always have a fraction there.
    fileprivate var cell: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\((number * 1000).rounded() / 1000)"
        case .flag(let flag): "\(flag)"
        }
    }
}
