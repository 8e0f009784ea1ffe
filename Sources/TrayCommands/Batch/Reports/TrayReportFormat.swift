import CommandKit
import Tray

/// The formats of a tray's report.
enum TrayReportFormat: String, CaseIterable, Sendable {
    /// A page for people, to be printed and signed.
    case html
    /// Everything, for programs.
    case json
    /// One row for each unit and for each attempt, for spreadsheets.
    case csv
    /// The columns of KKM's own tool.
    case kkm = "kkm-csv"
    /// For continuous integration.
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

    /// The report of `record`, made at `made` by the program's `version`.
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
        return .made("tray report (\(rawValue))", beginnings: [Array(beginning.utf8)])
    }
}
