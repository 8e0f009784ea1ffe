import Bytes
import CommandKit
import KKM
import UpdateModel

/// Writes rows of records to stdout, or to a file that appears only once it is complete.
final class RecordRows {
    /// The path that stands for stdout.
    static let standardOutput = "-"
    /// How to recognise an earlier file, which may be overwritten.
    private static let kind = OutputKind.made(
        "table of a beacon's records (CSV)",
        beginnings: KBeaconRecordKind.allCases.map { Array(SpreadsheetText($0.columns).line.utf8) })

    private let console: Console
    private let clock: KBeaconRecordClock
    private var file: GrowingFile?

    /// Throws if rows could not be written to `path` now, before the long reading of them.
    static func check(_ path: String, under rule: OutputRule) throws(CommandFailure) {
        if path != standardOutput { try OutputFile.check(path, as: kind, under: rule) }
    }

    /// Writes the names of the columns; `clock` converts the recorded times.
    init(
        of kind: KBeaconRecordKind, by clock: KBeaconRecordClock, to path: String, under rule: OutputRule,
        _ console: Console
    ) throws(CommandFailure) {
        (self.console, self.clock) = (console, clock)
        file =
            path == Self.standardOutput ? nil : try GrowingFile(path, as: Self.kind, under: rule)
        try write([SpreadsheetText(kind.columns)])
    }

    /// Writes one row for each record, with its number.
    func write(_ records: [(number: Int, record: KBeaconRecord)]) throws(CommandFailure) {
        try write(
            records.map { number, record in
                let time = clock.wallTime(of: record.time).map(UnixTime.text)
                return SpreadsheetText(["\(number)", "\(record.time)", time] + record.content.cells)
            })
    }

    /// Completes the file.
    func finish() throws(CommandFailure) { try file.take()?.finish() }

    private func write(_ rows: [SpreadsheetText]) throws(CommandFailure) {
        guard file != nil else { return rows.forEach { console.result(TerminalText($0.line)) } }
        try file?.append(rows.flatMap { Array("\($0.line)\n".utf8) })
    }
}

extension KBeaconRecord.Content {
    fileprivate var cells: [String] {
        switch self {
        case .climate(let temperature, let humidity): [temperature, humidity].map(Self.thousandths)
        case .state(let state): ["\(state)"]
        case .light(let type, let lux): ["\(type)", "\(lux)"]
        case .air(let voc, let nox): ["\(voc)", "\(nox)"]
        case .carbonDioxide(let ppm, let temperature, let humidity):
            ["\(ppm)"] + [temperature, humidity].map(Self.thousandths)
        }
    }

    /// At most three digits after the point, as the beacon counts in 256ths.
    private static func thousandths(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
