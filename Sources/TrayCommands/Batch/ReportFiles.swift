import Bytes
import CommandKit
import Synchronization
import Tray

/// The report files of a command's runs: `WO-17.html`, and for further runs `WO-17-2.html`.
package final class ReportFiles: Sendable {
    private let files: [(path: String, format: TrayReportFormat)]
    private let runs = Mutex(0)

    /// Throws for a path whose ending is not that of a report format.
    init(_ paths: [String]) throws(CommandFailure) {
        files = try paths.map { (path) throws(CommandFailure) in
            if let format = TrayReportFormat(path: path) { return (path, format) }
            throw CommandFailure(
                .tray.reportFormat, during: "reading the command line",
                message: "the ending of \(path) is not that of a report format")
        }
    }

    /// Throws if a file could not be written now, rather than at the end of a long run.
    func check(under rule: OutputRule) throws(CommandFailure) {
        for (path, format) in files { try OutputFile.check(path, as: format.kind, under: rule) }
    }

    /// The path of the report of the run `number`, from 1.
    static func name(_ path: String, forRun number: Int) -> String {
        guard number > 1 else { return path }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let end = path[start...].lastIndex(of: ".") ?? path.endIndex
        return path[..<end] + "-\(number)" + path[end...]
    }

    /// Writes `record` to all files, even if one cannot be written; then throws the first error.
    func write(_ record: TrayRecord, under rule: OutputRule, _ console: Console) throws(CommandFailure) {
        var first: CommandFailure?
        let number = runs.withLock { runs in
            runs += 1
            return runs
        }
        for (file, format) in files {
            let path = Self.name(file, forRun: number)
            let text = format.text(of: record, made: .now, version: Program.version)
            do throws(CommandFailure) {
                try OutputFile.write(Array(text.utf8), to: path, as: format.kind, under: rule)
                console.event(JSONLine("report", ["file": .text(path), "format": .text(format.rawValue)]))
                if !console.style.isJSON { console.notice("report: \(path)") }
            } catch { first = first ?? error }
        }
        if let first { throw first }
    }
}

enum TrayReportFormat: String, CaseIterable, Sendable {
    /// A page for people, to be printed and signed.
    case html
    /// Everything, for programs.
    case json
    /// One row for each unit and for each attempt, for spreadsheets.
    case csv
    /// The columns of KKM's own tool.
    case kkm = "kkm-csv"
    case junit

    /// The format of the file at `path`, by its ending; nil if that is not known.
    init?(path: String) {
        let name = path.lowercased()
        let endings: [(String, TrayReportFormat)] = [
            (".kkm.csv", .kkm), (".csv", .csv), (".html", .html), (".htm", .html), (".json", .json),
            (".xml", .junit),
        ]
        guard let format = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
        self = format
    }

    func text(of record: TrayRecord, made: RecordedTime, version: String) -> String {
        switch self {
        case .html: TrayPage(record, made: made, version: version).text
        case .json: record.line(made: made, version: version).text + "\n"
        case .csv: UnitSheet(record).text
        case .kkm: KKMSheet(record).text
        case .junit: record.junit
        }
    }

    /// How to recognise an earlier report of this format, which may be overwritten.
    var kind: OutputKind {
        let beginning =
            switch self {
            case .html: TrayPage.beginning
            case .json: #"{"causes":["#
            case .csv: UnitSheet.columns.prefix(3).joined(separator: ",")
            case .kkm: KKMSheet.columns.joined(separator: ",")
            case .junit: #"<?xml version="1.0" encoding="UTF-8"?>\#n<testsuites name="beacon-dfu batch""#
            }
        return .format("tray report (\(rawValue))", beginnings: [Array(beginning.utf8)])
    }
}
