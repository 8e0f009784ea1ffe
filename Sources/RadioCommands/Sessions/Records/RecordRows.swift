import ArgumentParser
import Bytes
import CommandKit
package import UpdateModel

/// Writes rows of records to stdout, or to a file that appears only once it is complete.
final class RecordRows {
    static let standardOutput = "-"
    /// How to recognise an earlier file, which may be overwritten.
    private static let kind = OutputKind.format(
        "table of a beacon's records (CSV)",
        beginnings: HistoryRead.kinds.map { Array(SpreadsheetText($0.columns).line.utf8) })

    private let console: Console
    private var file: OutputFile?

    /// Throws if rows could not be written to `path` now, before the long reading of them.
    static func check(_ path: String, under rule: OutputRule) throws(CommandFailure) {
        if path != standardOutput { try OutputFile.check(path, as: kind, under: rule) }
    }

    init(
        of kind: RecordKind, to path: String, under rule: OutputRule, _ console: Console
    ) throws(CommandFailure) {
        self.console = console
        file = path == Self.standardOutput ? nil : try OutputFile(path, as: Self.kind, under: rule)
        try write([SpreadsheetText(kind.columns)])
    }

    func write(_ rows: [RecordRow]) throws(CommandFailure) {
        try write(
            rows.map { row in
                SpreadsheetText(
                    ["\(row.number)", "\(row.recorded)", row.time.map(UnixTime.text)] + row.cells)
            })
    }

    func finish() throws(CommandFailure) { try file.take()?.finish() }

    private func write(_ rows: [SpreadsheetText]) throws(CommandFailure) {
        guard file != nil else { return rows.forEach { console.result(TerminalText($0.line)) } }
        try file?.append(rows.flatMap { Array("\($0.line)\n".utf8) })
    }
}

/// Reports the progress of reading records: on a terminal as a line that is redrawn, on a pipe as a line
/// every few seconds, and as events.
struct RecordProgress {
    /// The time before the first report, and between reports on a terminal and in events.
    private static let interval = Duration.seconds(1)
    private static let pipeInterval = Duration.seconds(5)

    private let console: Console
    private let line: ActivityLine
    private let total: Int
    private let began: Duration
    private var lastReport: Duration

    init(through total: Int, from moment: Duration, on line: ActivityLine, _ console: Console) {
        (self.total, self.line, self.console, began, lastReport) = (total, line, console, moment, moment)
    }

    /// Reports that `count` records were read by `moment`, if a report is due.
    mutating func report(_ count: Int, at moment: Duration) {
        let isPipe = !console.style.isJSON && !console.style.isTerminal
        guard moment - lastReport >= (isPipe && lastReport > began ? Self.pipeInterval : Self.interval) else {
            return
        }
        lastReport = moment
        let speed = Double(count) / ((moment - began) / .seconds(1))
        let left = speed > 0 ? Double(max(0, total - count)) / speed : nil
        console.event(
            JSONLine("progress").adding([
                "records": .integer(count), "total": .integer(total), "records_per_second": .rounded(speed),
                "seconds_left": .rounded(left),
            ]))
        guard !console.style.isJSON else { return }
        let rest = left.map { ", \(Quantities.countdown($0)) left" } ?? ""
        let text = TerminalText("\(count) of \(total) records, \(Quantities.decimal(speed))/s\(rest)")
        if console.style.isTerminal { line.show(bar: text) } else { console.notice(text) }
    }
}

extension RecordKind: ExplainedArgument {
    package init?(argument: String) {
        guard let kind = HistoryRead.kinds.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    package static func flaw(in text: String) -> String {
        "kinds of records are \(HistoryRead.kinds.map(\.name).joined(separator: ", "))"
    }
}
