import Bytes

extension Outcome {
    var words: String { self == .error ? "bench error" : rawValue.replacing("-", with: " ") }
}

/// The status of a unit in a report, where a unit without an outcome is open.
extension UnitStatus {
    /// All in reports, the worst first.
    static let ofReports = allCases.filter { $0 == .waiting || $0.outcome != nil }

    var letter: String { outcome.map { String($0.letter) } ?? "O" }
    var words: String { outcome?.words ?? "open" }
    /// A number of units with the status, in words.
    func count(_ count: Int) -> String {
        "\(count) \(words)" + (self == .error && count != 1 ? "s" : "")
    }
    /// The name in the style and the script.
    var name: String { outcome?.rawValue ?? "open" }
    var rankInReports: Int { Self.ofReports.firstIndex(of: self) ?? 0 }
    var isGood: Bool { outcome?.isGood ?? false }
}

/// A run in the columns of KKM's own tray tool, KBProBatchDFU, for users with spreadsheets that read these.
///
/// One row per unit, by its address, or else by the tray's selector. `Status` is 1 (done), 2 (failed) or 3 (not
/// needed); KKM has no number for other outcomes, so their `Status` is empty.
package struct KKMSheet: Sendable {
    package static let columns = ["MAC", "Model", "CurrentVersion", "DFUVersion", "Status"]

    package let text: String

    package init(_ record: TrayRecord) {
        let rows = record.units.map { unit in
            let whole = unit.whole
            let cells: [String?] = [
                unit.shortAddress ?? unit.slot, unit.model, whole?.versionAfter ?? whole?.versionBefore,
                whole?.firmware?.version, unit.verdict?.outcome.kkmStatus,
            ]
            return SpreadsheetText(cells.map { $0.map { VisibleText.escaped($0) } }).line
        }
        text = ([SpreadsheetText(Self.columns).line] + rows).map { $0 + "\r\n" }.joined()
    }
}

extension Outcome {
    fileprivate var kkmStatus: String? {
        switch self {
        case .passed: "1"
        case .failed: "2"
        case .notNeeded: "3"
        case .error, .skipped, .aborted, .unknown: nil
        }
    }
}
