import UpdateModel

/// A field of the record of a run: its name, its value, and the outputs that have it. The CSV report and `history` get
/// all columns from these declarations; JSON and the details of a unit get most members, and add nested ones.
package struct RecordField: Sendable {
    /// The JSON objects with fields as members; `page` is a unit on the page of a bench.
    package enum Part: CaseIterable, Sendable { case run, unit, attempt, verdict, page }

    package let name: String
    package let value: @Sendable (FieldSource) -> RecordValue?
    package let parts: [Part]
    /// Whether the field is a column of the report for spreadsheets, in the order of ``all``.
    package let isInReport: Bool
    /// The field's place among the columns of `history`, from 1; nil if it is none. New places are added at the end.
    package let history: Int?
    /// The field's titles in the details of a unit: on the report's page, and in the live view; nil if it is not shown.
    package let page, board: String?
    private let unitOfMeasure: String?

    fileprivate init<Value: RecordScalar>(
        _ name: String, _ parts: Part..., of value: any KeyPath<FieldSource, Value?> & Sendable,
        report isInReport: Bool = true, history: Int? = nil, page: String? = nil, board: String? = nil,
        in unitOfMeasure: String? = nil
    ) {
        (self.name, self.parts, self.isInReport, self.history) = (name, parts, isInReport, history)
        (self.page, self.board, self.unitOfMeasure) = (page, board, unitOfMeasure)
        self.value = { $0[keyPath: value]?.recorded }
    }

    package func words(_ source: FieldSource) -> String? {
        value(source).map { value in [value.text, unitOfMeasure].compactMap(\.self).joined(separator: " ") }
    }

    /// All fields, in the order of the report's columns. That order, names and meanings do not change; new fields are
    /// added before the first one that is not in the report.
    package static let all: [RecordField] = [
        Self("run", .run, of: \.run?.id, history: 33),
        Self("tray", .run, of: \.run?.tray, history: 34),
        Self("order_number", .run, of: \.run?.orderNumber, history: 37),
        Self("station", .run, of: \.run?.station, history: 35),
        Self("operator", .run, of: \.run?.operatorName, history: 36),
        Self("slot", .unit, .page, of: \.unit?.slot, history: 8),
        Self("golden", .unit, of: \.unit?.isGolden),
        Self("device", .unit, of: \.unit?.device, history: 9, page: "In the tray file", board: "tray entry"),
        Self("address", .unit, .attempt, .page, of: \.address, history: 3),
        Self("id", .unit, .page, of: \.unit?.identifier, history: 4, page: "Id", board: "id"),
        Self("name", .unit, .page, of: \.unit?.name, history: 5, board: "name"),
        Self("vendor", .unit, of: \.unit?.vendor, history: 6, page: "Vendor"),
        Self("model", .unit, .page, of: \.unit?.model, history: 7, board: "model"),
        Self("rssi", .unit, of: \.unit?.rssi, page: "Heard at", board: "heard at", in: "dBm"),
        Self("attempt", .attempt, of: \.number, history: 11),
        Self("session", .attempt, of: \.attempt?.session, history: 12),
        Self("adapter", .attempt, of: \.attempt?.adapter, history: 13),
        Self("began", .attempt, of: \.attempt?.began, history: 1),
        Self("seconds", .attempt, of: \.attempt?.seconds, history: 14),
        Self("outcome", .verdict, of: \.verdict?.outcome, history: 2),
        Self("first_pass", .unit, of: \.passedFirst),
        Self("code", .verdict, of: \.verdict?.code, history: 27),
        Self("during", .verdict, of: \.verdict?.during, history: 28),
        Self("message", .verdict, of: \.verdict?.message, history: 29),
        Self("next_step", .verdict, of: \.verdict?.nextStep, history: 30),
        Self("program", of: \.verdict?.state?.program),
        Self("application", of: \.verdict?.state?.application),
        Self("state_address", of: \.verdict?.state?.address),
        Self("state", of: \.verdict?.state?.words, history: 31),
        Self("version_before", .attempt, of: \.attempt?.versionBefore, history: 20),
        Self("version_after", .attempt, of: \.attempt?.versionAfter, history: 21),
        Self("verified", .attempt, of: \.attempt?.verified, history: 22),
        Self("firmware", of: \.attempt?.firmware?.path, history: 15),
        Self("firmware_sha256", of: \.attempt?.firmware?.sha256, history: 16),
        Self("firmware_kind", of: \.attempt?.firmware?.kind, history: 17),
        Self("firmware_bytes", of: \.attempt?.firmware?.bytes, history: 18),
        Self("firmware_version", of: \.attempt?.firmware?.version, history: 19),
        Self("sent_bytes", of: \.attempt?.transfer?.bytes),
        Self("transfer_seconds", of: \.attempt?.transfer?.seconds, history: 23),
        Self("bytes_per_second", of: \.attempt?.transfer?.average, history: 24),
        Self("retries", of: \.attempt?.transfer?.retries, history: 25),
        Self("limited_by", of: \.attempt?.transfer?.limitedBy, history: 26),
        Self("warnings", of: \.warnings, history: 41),
        Self("times_sent", .unit, .attempt, of: \.timesSent, history: 40),
        Self("application_address", of: \.unit?.address, report: false, history: 10),
        Self("unit_outcome", of: \.unit?.verdict?.outcome, report: false, history: 32),
        Self("single", of: \.isSingle, report: false, history: 38),
        Self("simulated", of: \.isSimulated, report: false, history: 39),
    ]

    /// The fields of the attempts of `history`, in its order.
    package static let ofHistory = all.filter { $0.history != nil }
        .sorted { $0.history ?? 0 < $1.history ?? 0 }

    /// The members of the JSON object of `part`.
    package static func of(_ part: Part) -> [RecordField] { byPart[part] ?? [] }
    private static let byPart = Dictionary(
        Part.allCases.map { part in (part, all.filter { $0.parts.contains(part) }) },
        uniquingKeysWith: { first, _ in first })
}

/// Where fields get their values: a run, a unit and an attempt, as far as the output is about them.
package struct FieldSource: Sendable {
    let run: TrayRecord?
    let unit: UnitRecord?
    /// The attempt; if the values are about the unit, all its attempts as one.
    let attempt: AttemptRecord?
    /// Whether the values are about an attempt, not about a unit.
    let isOfAttempt: Bool

    package init(_ unit: UnitRecord? = nil, of run: TrayRecord? = nil) {
        (self.run, self.unit, attempt, isOfAttempt) = (run, unit, unit?.mergedAttempts, false)
    }

    package init(_ attempt: AttemptRecord, of unit: UnitRecord? = nil, of run: TrayRecord? = nil) {
        (self.run, self.unit, self.attempt, isOfAttempt) = (run, unit, attempt, true)
    }

    fileprivate var verdict: UnitVerdict? { isOfAttempt ? attempt?.verdict : unit?.verdict }
    fileprivate var address: String? { isOfAttempt ? attempt?.address : unit?.address }
    fileprivate var number: Int? { isOfAttempt ? attempt?.number : unit?.attempts.count }
    fileprivate var passedFirst: Bool? { isOfAttempt ? nil : unit?.passedFirst }
    fileprivate var timesSent: Int? {
        guard !isOfAttempt, let unit else { return attempt?.timesSent }
        return unit.attempts.contains { $0.timesSent != nil } ? unit.attempts.timesSent : nil
    }
    fileprivate var isSingle: Bool? { run.map { $0.isSingle == true } }
    fileprivate var isSimulated: Bool? { run.map { $0.isSimulated == true } }
    fileprivate var warnings: String? {
        attempt.map { $0.warnings.map { "\($0.code): \($0.message)" }.joined(separator: "; ") }
    }
}

package enum RecordValue: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)

    var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): Figures.plain(number)
        case .flag(let flag): flag ? "yes" : "no"
        }
    }
}

private protocol RecordScalar: Sendable { var recorded: RecordValue { get } }

extension String: RecordScalar { fileprivate var recorded: RecordValue { .text(self) } }
extension Int: RecordScalar { fileprivate var recorded: RecordValue { .integer(self) } }
extension Double: RecordScalar { fileprivate var recorded: RecordValue { .number(self) } }
extension Bool: RecordScalar { fileprivate var recorded: RecordValue { .flag(self) } }
extension UnitOutcome: RecordScalar { fileprivate var recorded: RecordValue { .text(rawValue) } }
extension RecordedTime: RecordScalar { fileprivate var recorded: RecordValue { .text(description) } }
