import Bytes
package import CommandKit
import Glibc
import Tray
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
            let cells = HistoryRow.columns.map { $0.cell(of: row).map { VisibleText.escaped($0) } }
            console.result(TerminalText(SpreadsheetText(cells).line))
        }
    }

    func end() {
        guard !rows.isEmpty else { return }
        let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        Table(columns: HistoryRow.tableColumns).lines(rows, width: width).forEach(console.result)
    }
}

extension HistoryRow {
    /// A member of the event `attempt`, which is also a column of the spreadsheet.
    struct Column: Sendable {
        let name: String
        let value: @Sendable (HistoryRow) -> JSONValue
        private let isDecimal: Bool

        fileprivate init(
            _ name: String, isDecimal: Bool = false, _ value: @escaping @Sendable (HistoryRow) -> JSONValue
        ) {
            (self.name, self.isDecimal, self.value) = (name, isDecimal, value)
        }

        /// The spreadsheet cell of `row`: decimals always have a fraction there.
        func cell(of row: HistoryRow) -> String? {
            let value = value(row)
            return isDecimal ? value.number.map { "\($0)" } : value.cell
        }
    }

    /// All columns, in the spreadsheet's order. New ones may be added at the end; columns that a tray's
    /// report also has share its names.
    static let columns = [
        Column("began") { .text("\($0.attempt.began)") },
        Column("outcome") { .optional($0.attempt.verdict?.outcome.rawValue) },
        Column("address") { .text($0.attempt.address) },
        Column("id") { .optional($0.unit.identifier) },
        Column("name") { .optional($0.unit.name) },
        Column("vendor") { .optional($0.unit.vendor) },
        Column("model") { .optional($0.unit.model) },
        Column("slot") { .text($0.unit.slot) },
        Column("device") { .optional($0.unit.device) },
        Column("application_address") { .optional($0.unit.address) },
        Column("attempt") { .integer($0.attempt.number) },
        Column("session") { .integer($0.attempt.session) },
        Column("adapter") { .text($0.attempt.adapter) },
        Column("seconds", isDecimal: true) { .rounded($0.attempt.seconds) },
        Column("firmware") { .optional($0.attempt.firmware?.path) },
        Column("firmware_sha256") { .optional($0.attempt.firmware?.sha256) },
        Column("firmware_kind") { .optional($0.attempt.firmware?.kind) },
        Column("firmware_bytes") { .optional($0.attempt.firmware?.bytes) },
        Column("firmware_version") { .optional($0.attempt.firmware?.version) },
        Column("version_before") { .optional($0.attempt.versionBefore) },
        Column("version_after") { .optional($0.attempt.versionAfter) },
        Column("verified") { .optional($0.attempt.verified) },
        Column("transfer_seconds", isDecimal: true) { .rounded($0.attempt.transfer?.seconds) },
        Column("bytes_per_second", isDecimal: true) { .rounded($0.attempt.transfer?.average) },
        Column("retries") { .optional($0.attempt.transfer?.retries) },
        Column("limited_by") { .optional($0.attempt.transfer?.limitedBy) },
        Column("code") { .optional($0.attempt.verdict?.code) },
        Column("during") { .optional($0.attempt.verdict?.during) },
        Column("message") { .optional($0.attempt.verdict?.message) },
        Column("next_step") { .optional($0.attempt.verdict?.nextStep) },
        Column("state") { .optional($0.attempt.verdict?.state?.words) },
        Column("unit_outcome") { .optional($0.unit.verdict?.outcome.rawValue) },
        Column("run") { .text($0.run.id) },
        Column("tray") { .optional($0.run.tray) },
        Column("station") { .optional($0.run.station) },
        Column("operator") { .optional($0.run.operatorName) },
        Column("order_number") { .optional($0.run.orderNumber) },
        Column("single") { .bool($0.run.isSingle == true) },
        Column("simulated") { .bool($0.run.isSimulated == true) },
    ]

    /// The event `attempt`.
    package var line: JSONLine {
        JSONLine("attempt", Dictionary(Self.columns.map { ($0.name, $0.value(self)) }) { first, _ in first })
    }

    /// The columns of a table for people.
    static let tableColumns = [
        Table.Column(heading: "BEGAN (UTC)"), Table.Column(heading: "OUTCOME"),
        Table.Column(heading: "ADDRESS"),
        Table.Column(heading: "ID", isElastic: true, rank: 3),
        Table.Column(heading: "NAME", isElastic: true, rank: 4),
        Table.Column(heading: "SLOT", rank: 5),
        Table.Column(heading: "FILE", width: 12, isElastic: true, rank: 1),
        Table.Column(heading: "VERSION", rank: 1), Table.Column(heading: "VERIFIED", rank: 2),
        Table.Column(heading: "CODE", rank: 2), Table.Column(heading: "ORDER", isElastic: true, rank: 6),
        Table.Column(heading: "STATION", isElastic: true, rank: 7), Table.Column(heading: "RUN", rank: 8),
    ]

    /// A row of the table.
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

extension JSONValue {
    /// The value as a spreadsheet cell; nil for null, lists and objects.
    fileprivate var cell: String? {
        switch self {
        case .null, .list, .object: nil
        case .bool(let flag): "\(flag)"
        case .number(let digits): digits
        case .text(let text): text
        }
    }
}
