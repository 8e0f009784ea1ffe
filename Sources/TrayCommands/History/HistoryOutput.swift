import Bytes
import CommandKit
import Glibc
import TrayJournal

/// Prints attempts: line by line as they are read, or as one table at the end.
struct HistoryOutput {
    /// The output formats.
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
            console.result(TerminalText(SpreadsheetText(HistoryRow.columns.map(\.name)).line))
        }
    }

    mutating func print(_ row: HistoryRow) {
        switch form {
        case .table: rows.append(row.cells)
        case .json: console.json(row.line)
        case .spreadsheet:
            let cells = HistoryRow.columns.map { $0.value(row).cell.map { VisibleText.escaped($0) } }
            console.result(TerminalText(SpreadsheetText(cells).line))
        }
    }

    func end() {
        guard !rows.isEmpty else { return }
        let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        Table(columns: HistoryRow.tableColumns).lines(rows, width: width).forEach(console.result)
    }
}
