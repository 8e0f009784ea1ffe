import Bluetooth
import Bytes
package import Firmware
import GRDB
package import Tray
package import UpdateModel

/// Selects attempts that match every value that is not nil.
package struct HistoryQuery: Hashable, Sendable {
    package enum File: Hashable, Sendable {
        /// The file's SHA-256 in hexadecimal, or its beginning.
        case sha256(String)
        /// The file's path, or its last parts, for example the file's name.
        case path(String)
    }

    /// The unit, as selected in the tray, or by what it has advertised or reported.
    package var device: DeviceSelector?
    package var file: File?
    package var orderNumber, station, operatorName: String?
    /// The run, by its id or the beginning of its id.
    package var run: String?
    package var since: RecordedTime?
    /// Selects attempts that began before this time.
    package var until: RecordedTime?
    /// Selects attempts with one of these outcomes; all attempts if empty. An attempt that was cut off has no outcome.
    package var outcomes: Set<UnitOutcome> = []
    package var isSimulated: Bool?

    package init() {}

    /// The query's condition on the tables `attempt`, `unit` and `run`.
    ///
    /// Indexed values are selected by subqueries: otherwise SQLite would read all attempts from the latest on, because
    /// the result has that order.
    var condition: HistoryCondition {
        var all = HistoryCondition()
        if let device { device.add(to: &all) }
        switch file {
        case .sha256(let prefix)?:
            all.add(
                "attempt.id IN (SELECT id FROM attempt WHERE sha256 >= ? AND sha256 < ?)",
                [prefix.lowercased(), prefix.lowercased() + "g"])
        case .path(let path)?:
            all.add(
                "(attempt.file = ? OR substr(attempt.file, -length(?)) = ?)", [path, "/" + path, "/" + path])
        case nil: break
        }
        if let orderNumber { Self.ofRuns("order_number = ?", [orderNumber], &all) }
        if let run {
            Self.ofRuns("uuid >= ? AND uuid < ?", [run.lowercased(), run.lowercased() + "g"], &all)
        }
        if let station { all.add("run.station = ?", [station]) }
        if let operatorName { all.add("run.operator = ?", [operatorName]) }
        if let isSimulated { all.add("run.simulated = ?", [isSimulated]) }
        if let since { all.add("attempt.began >= ?", [since.milliseconds]) }
        if let until { all.add("attempt.began < ?", [until.milliseconds]) }
        if !outcomes.isEmpty {
            let marks = outcomes.map { _ in "?" }.joined(separator: ", ")
            all.add("attempt.outcome IN (\(marks))", outcomes.map(\.rawValue).sorted())
        }
        return all
    }

    private static func ofRuns(_ condition: String, _ values: [String], _ all: inout HistoryCondition) {
        all.add(
            """
            attempt.id IN (SELECT attempt.id FROM run JOIN unit ON unit.run = run.id
              JOIN attempt ON attempt.unit = unit.id WHERE run.\(condition))
            """, values)
    }
}

struct HistoryCondition {
    private(set) var parts: [String] = []
    private(set) var arguments = StatementArguments()

    mutating func add(_ part: String, _ values: [(any DatabaseValueConvertible)?]) {
        parts.append(part)
        arguments += StatementArguments(values)
    }
}

extension DeviceSelector {
    /// Adds the condition that an attempt was made at the selected beacon, by the slot's selector or by what was heard.
    func add(to all: inout HistoryCondition) {
        var units = ["SELECT id FROM unit WHERE device = ?"]
        var values = ["\(self)"]
        var attempts: String?
        switch self {
        case .address, .bareAddress:
            let texts = addresses.map { $0.withKind }
            let marks = texts.map { _ in "?" }.joined(separator: ", ")
            units.append("SELECT id FROM unit WHERE address IN (\(marks))")
            attempts = "SELECT id FROM attempt WHERE address IN (\(marks))"
            values += texts + texts
        case .id(let id):
            units.append("SELECT id FROM unit WHERE identifier = ?")
            values.append(id)
        case .name(let glob):
            units.append("SELECT id FROM unit WHERE name GLOB ?")
            // In GLOB, a bracket begins a set of characters.
            values.append(glob.pattern.map { $0 == "[" ? "[[]" : String($0) }.joined())
        case .iBeacon: break
        }
        let ofUnits = "SELECT id FROM attempt WHERE unit IN (\(units.joined(separator: " UNION ")))"
        all.add(
            "attempt.id IN (\([ofUnits, attempts].compactMap(\.self).joined(separator: " UNION ")))", values)
    }
}

package struct HistoryRow: Hashable, Sendable {
    /// The `id` of the attempt's row: a later attempt has a higher number.
    package let number: Int64
    /// The run, without sessions, holds and units.
    package let run: TrayRecord
    /// The unit with its verdict, without attempts.
    package let unit: UnitRecord
    package let attempt: AttemptRecord
}
