import Bytes

/// A run as a spreadsheet: one row per unit, followed by a row for each of its attempts, all with the same columns.
///
/// One file, since one `--report` names one file, and parts could be separated; `row` distinguishes the two kinds of
/// rows. Lines end with CR and LF (RFC 4180), and no value is a formula.
public struct UnitSheet: Sendable {
    /// The header. Columns may be added at its end; no column changes its name, its position or its meaning.
    public static let columns = [
        "row", "run", "tray", "order_number", "station", "operator", "slot", "golden", "device", "address",
        "id",
        "name", "vendor", "model", "rssi", "attempt", "session", "adapter", "began", "seconds", "outcome",
        "first_pass", "code", "during", "message", "next_step", "program", "application", "state_address",
        "state",
        "version_before", "version_after", "verified", "firmware", "firmware_sha256", "firmware_kind",
        "firmware_bytes", "firmware_version", "sent_bytes", "transfer_seconds", "bytes_per_second", "retries",
        "limited_by", "warnings",
    ]

    /// The file.
    public let text: String

    /// The sheet of `record`.
    public init(_ record: TrayRecord) {
        var rows = [SpreadsheetText(Self.columns).line]
        let run = [record.id, record.tray, record.orderNumber, record.station, record.operatorName]
        for unit in record.units {
            rows.append(Self.row("unit", run, unit, unit.whole, number: unit.attempts.count))
            for attempt in unit.attempts {
                rows.append(Self.row("attempt", run, unit, attempt, number: attempt.number))
            }
        }
        text = rows.map { $0 + "\r\n" }.joined()
    }

    private static func row(
        _ kind: String, _ run: [String?], _ unit: UnitRecord, _ attempt: AttemptRecord?, number: Int
    ) -> String {
        let isUnit = kind == "unit"
        let verdict = isUnit ? unit.verdict : attempt?.verdict
        var cells: [String?] = [kind] + run
        cells += [
            unit.slot, unit.isGolden ? "yes" : "no", unit.device, isUnit ? unit.address : attempt?.address,
            unit.identifier, unit.name, unit.vendor, unit.model, unit.rssi.map(String.init), String(number),
            attempt.map { String($0.session) }, attempt?.adapter, attempt?.began.description,
            attempt?.seconds.map(Figures.plain), verdict?.outcome.rawValue ?? (isUnit ? "open" : nil),
            isUnit ? unit.passedFirst.map { $0 ? "yes" : "no" } : nil, verdict?.code, verdict?.during,
            verdict?.message, verdict?.nextStep, verdict?.state?.program, verdict?.state?.application,
            verdict?.state?.address, verdict?.state?.words, attempt?.versionBefore, attempt?.versionAfter,
            attempt?.verified,
        ]
        let firmware = attempt?.firmware
        cells += [
            firmware?.path, firmware?.sha256, firmware?.kind, firmware.map { String($0.bytes) },
            firmware?.version,
        ]
        let transfer = attempt?.transfer
        cells += [
            transfer.map { String($0.bytes) }, transfer.map { Figures.plain($0.seconds) },
            transfer.map { Figures.plain($0.average) }, transfer.map { String($0.retries) },
            transfer?.limitedBy,
            attempt.map { $0.warnings.map { "\($0.code): \($0.message)" }.joined(separator: "; ") },
        ]
        return SpreadsheetText(cells.map { $0.map { VisibleText.escaped($0) } }).line
    }
}
