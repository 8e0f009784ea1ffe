import Bytes

/// A run as a spreadsheet: one row per unit, followed by a row for each of its attempts, all with the same columns.
///
/// One file, since one `--report` names one file, and parts could be separated; `row` distinguishes the two kinds of
/// rows. Lines end with CR and LF (RFC 4180), and no value is a formula.
package struct UnitSheet: Sendable {
    package static let columns = ["row"] + fields.map(\.name)
    private static let fields = RecordField.all.filter(\.isInReport)

    package let text: String

    package init(_ record: TrayRecord) {
        var rows = [SpreadsheetText(Self.columns).line]
        // Rows need no units of the run.
        var run = record
        run.units = []
        for unit in record.units {
            rows.append(Self.line("unit", RecordRow(unit, of: run)))
            rows += unit.attempts.map { Self.line("attempt", RecordRow($0, of: unit, of: run)) }
        }
        text = rows.map { $0 + "\r\n" }.joined()
    }

    private static func line(_ kind: String, _ row: RecordRow) -> String {
        let cells = fields.map { field in
            field.value(row)?.text ?? (field.name == "outcome" && !row.isOfAttempt ? "open" : nil)
        }
        return SpreadsheetText(([kind] + cells).map { $0.map { VisibleText.escaped($0) } }).line
    }
}

extension UnitRecord {
    /// All attempts as one: the start of the first, the total duration, and otherwise the latest known values. Nil if
    /// there was no attempt.
    var whole: AttemptRecord? {
        guard let first = attempts.first, var whole = attempts.last else { return nil }
        whole.began = first.began
        let seconds = attempts.compactMap(\.seconds)
        whole.seconds = seconds.isEmpty ? nil : seconds.reduce(0, +)
        whole.firmware = attempts.last { $0.firmware != nil }?.firmware
        whole.versionBefore = attempts.first { $0.versionBefore != nil }?.versionBefore
        whole.versionAfter = attempts.last { $0.versionAfter != nil }?.versionAfter
        whole.transfer = attempts.last { $0.transfer != nil }?.transfer
        whole.warnings = attempts.flatMap(\.warnings)
        return whole
    }

    /// The share of the firmware that the last attempt with a transfer has sent, from 0 to 1; nil if there was no
    /// attempt.
    var share: Double? {
        if verdict?.outcome == .passed { return 1 }
        guard !attempts.isEmpty else { return nil }
        guard let attempt = attempts.last(where: { $0.transfer != nil }), let sent = attempt.transfer?.bytes,
            let total = attempt.firmware?.bytes, total > 0
        else { return 0 }
        return min(1, Double(sent) / Double(total))
    }

    /// The text that identifies the unit for users: its address without its kind, or else the tray's selector.
    var shortAddress: String? { (address ?? device).map { String($0.prefix { $0 != "/" }) } }
}

enum Figures {
    /// With at most three decimals, without trailing zeros.
    static func plain(_ value: Double) -> String {
        let thousandths = whole(abs(value) * 1000)
        var rest = String(1000 + thousandths % 1000).dropFirst()
        while rest.last == "0" { rest.removeLast() }
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        return sign + "\(thousandths / 1000)" + (rest.isEmpty ? "" : "." + rest)
    }

    static func decimal(_ value: Double) -> String {
        let tenths = whole(max(0, value) * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A share in percent. The space does not break.
    static func percent(_ share: Double) -> String { "\(Percentage(share).number)\u{A0}%" }

    /// In kilobytes per second.
    static func speed(_ bytesPerSecond: Double) -> String { "\(decimal(bytesPerSecond / 1000)) kB/s" }

    /// In seconds below a minute, then in minutes or hours.
    static func duration(_ seconds: Double) -> String {
        guard seconds >= 60 else { return "\(decimal(seconds)) s" }
        let whole = whole(seconds)
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        return whole < 3600
            ? "\(whole / 60):\(two(whole % 60)) min"
            : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60)) h"
    }

    /// The nearest whole number; 0 for values that are not finite.
    static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(max(-1e15, min(1e15, value)).rounded()) : 0
    }

    /// For example `3 units`.
    static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
}
