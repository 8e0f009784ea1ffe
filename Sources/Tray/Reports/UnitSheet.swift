import Bytes
import UpdateModel

/// Rows of CSV (RFC 4180), whose lines end with CR and LF.
private func sheet(_ rows: [[String?]]) -> String {
    rows.map { SpreadsheetText($0).line + "\r\n" }.joined()
}

/// A run as a spreadsheet: one row per unit, followed by a row for each of its attempts, all with the same columns.
///
/// The column `row` distinguishes both kinds of rows.
package struct UnitSheet: Sendable {
    package static let columns = ["row"] + fields.map(\.name)
    private static let fields = RecordField.all.filter(\.isInReport)

    package let text: String

    package init(_ record: TrayRecord) {
        var rows: [[String?]] = [Self.columns]
        // No field of a row reads the units of the run.
        var run = record
        run.units = []
        for unit in record.units {
            rows.append(Self.cells("unit", FieldSource(unit, of: run)))
            rows += unit.attempts.map { Self.cells("attempt", FieldSource($0, of: unit, of: run)) }
        }
        text = sheet(rows)
    }

    private static func cells(_ kind: String, _ source: FieldSource) -> [String?] {
        [kind]
            + fields.map { field in
                field.value(source)?.text ?? (field.name == "outcome" && !source.isOfAttempt ? "open" : nil)
            }
    }
}

/// A run in the columns of KKM's tray tool, KBProBatchDFU, for users whose spreadsheets read these.
///
/// Each unit has a row with its address, or else its selector or slot. `Status` is 1 (done), 2 (failed) or 3 (not
/// needed); KKM has no number for other outcomes, so their `Status` is empty.
package struct KKMSheet: Sendable {
    package static let columns = ["MAC", "Model", "CurrentVersion", "DFUVersion", "Status"]

    package let text: String

    package init(_ record: TrayRecord) {
        let rows = record.units.map { unit -> [String?] in
            let merged = unit.mergedAttempts
            return [
                unit.shortAddress ?? unit.slot, unit.model, merged?.versionAfter ?? merged?.versionBefore,
                merged?.firmware?.version, unit.verdict?.outcome.kkmStatus,
            ]
        }
        text = sheet([Self.columns] + rows)
    }
}

extension UnitOutcome {
    fileprivate var kkmStatus: String? {
        switch self {
        case .passed: "1"
        case .failed: "2"
        case .notNeeded: "3"
        case .error, .skipped, .aborted, .unknown: nil
        }
    }
}

extension UnitRecord {
    /// All attempts as one: the start of the first, the total duration, and otherwise the latest known values. Nil if
    /// there was no attempt.
    var mergedAttempts: AttemptRecord? {
        guard let first = attempts.first, var merged = attempts.last else { return nil }
        merged.began = first.began
        let seconds = attempts.compactMap(\.seconds)
        merged.seconds = seconds.isEmpty ? nil : seconds.reduce(0, +)
        merged.firmware = attempts.last { $0.firmware != nil }?.firmware
        merged.versionBefore = attempts.first { $0.versionBefore != nil }?.versionBefore
        merged.versionAfter = attempts.last { $0.versionAfter != nil }?.versionAfter
        merged.transfer = attempts.last { $0.transfer != nil }?.transfer
        merged.warnings = attempts.flatMap(\.warnings)
        return merged
    }

    /// The share of the firmware that the last attempt with a transfer has sent, from 0 to 1; nil without an attempt.
    var share: Double? {
        if verdict?.outcome == .passed { return 1 }
        guard !attempts.isEmpty else { return nil }
        guard let attempt = attempts.last(where: { $0.transfer != nil }), let sent = attempt.transfer?.bytes,
            let total = attempt.firmware?.bytes, total > 0
        else { return 0 }
        return min(1, Double(sent) / Double(total))
    }

    /// The unit's address without its kind, or else the tray's selector.
    var shortAddress: String? { (address ?? device).map { String($0.prefix { $0 != "/" }) } }
}
