import FirmwareModel
import KBeacon
import ReportFormats

/// Rows of records on their way into a file, which gets all of them or is not there, or to stdout.
final class RecordRows {
    /// What stands for stdout.
    static let standardOutput = "-"
    /// How an earlier file is recognised, which may be written over.
    private static let kind = OutputKind.made(
        "table of a beacon's records (CSV)",
        beginnings: KBeaconRecordKind.allCases.map { Array(SpreadsheetText($0.columns).line.utf8) })

    private let console: Console
    private let clock: KBeaconRecordClock
    private var file: GrowingFile?

    /// Throws where rows could not be written to `path` now: reading them takes long.
    static func check(_ path: String, under rule: OutputRule) throws(CommandFailure) {
        if path != standardOutput { try OutputFile.check(path, as: kind, under: rule) }
    }

    /// Begins with the names of the columns; `clock` tells what the times mean.
    init(
        of kind: KBeaconRecordKind, by clock: KBeaconRecordClock, to path: String, under rule: OutputRule,
        _ console: Console
    ) throws(CommandFailure) {
        (self.console, self.clock) = (console, clock)
        file =
            path == Self.standardOutput ? nil : try GrowingFile(path, as: Self.kind, under: rule)
        try write([SpreadsheetText(kind.columns)])
    }

    /// Writes one row a record, each with its number.
    func write(_ records: [(number: Int, record: KBeaconRecord)]) throws(CommandFailure) {
        try write(
            records.map { number, record in
                let time = clock.wallTime(of: record.time).map(UnixTime.text)
                return SpreadsheetText(["\(number)", "\(record.time)", time] + record.content.cells)
            })
    }

    /// Puts the file in its place.
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

    /// At most three digits after the point: the beacon's own are 256ths.
    private static func thousandths(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
