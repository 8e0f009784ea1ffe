import CommandKit
import Tray
import UpdateModel

extension UnitStatus {
    var words: String { rawValue.replacing("-", with: " ") }

    /// The `count` with the status, such as `3 failed`; `3 more failed` if others have rows of their own.
    func words(_ count: Int, more: Bool = false) -> String {
        "\(count) \(more ? "more " : "")\(words)" + (self == .error && count != 1 ? "s" : "")
    }

    /// One letter: that of the outcome, if the status is an outcome.
    var letter: String {
        switch self {
        case .stalled: "!"
        case .running: "R"
        case .waiting: "."
        default: outcome.map { String($0.letter) } ?? ""
        }
    }

    var colour: TerminalText.Colour? {
        switch self {
        case .failed: .red
        case .unknown, .error, .stalled, .aborted: .yellow
        case .passed, .notNeeded: .green
        case .waiting, .skipped: .dim
        case .running: nil
        }
    }

    /// Whether units with this status are listed one by one, as many as fit. Units with another status share a line unless
    /// all of them fit.
    var isListedSingly: Bool { rank <= UnitStatus.running.rank }
}

extension RunState.Unit {
    /// The address without its type, else the tray's selector.
    var displayAddress: String {
        (record.address ?? record.device).map { String($0.prefix { $0 != "/" }) } ?? "not heard yet"
    }

    /// The text that the filter searches, in lower case.
    var words: String {
        let source = FieldSource(record)
        let texts = RecordField.of(.unit).map { field in
            if case .text(let text) = field.value(source) { text } else { nil as String? }
        }
        return (texts + [status.words, record.verdict?.code, attempt?.adapter, phase?.rawValue])
            .compactMap(\.self).joined(separator: " ").lowercased()
    }
}

extension TrayBoard {
    enum Row: Equatable, Sendable {
        case unit(UnitNumber)
        /// Units with the same status that share a row.
        case group(UnitStatus, [UnitNumber])

        var unit: UnitNumber? { if case .unit(let unit) = self { unit } else { nil } }
    }

    /// The list, the worst first. If the units do not fit `room` rows, those with the same status share a row. Rows that are
    /// left go to single stalled, running, failed, unknown and error units, in this order.
    func rows(room: Int) -> [Row] {
        let order = order
        guard isGrouped, filter.isEmpty, order.count > room else { return order.map(Row.unit) }
        let byStatus = Dictionary(grouping: order) { units[$0.value].status }
        let statuses = UnitStatus.allCases.filter { byStatus[$0] != nil }
        var left = max(0, room - statuses.count)
        var own: [UnitStatus: Int] = [:]
        let small = statuses.filter { !$0.isListedSingly }
            .sorted { byStatus[$0, default: []].count < byStatus[$1, default: []].count }
        for status in [.stalled, .running, .failed, .unknown, .error] + small {
            let count = byStatus[status, default: []].count
            if count - 1 <= left {
                own[status] = count
                left -= max(0, count - 1)
            } else if status.isListedSingly {
                own[status] = left
                left = 0
            }
        }
        return statuses.flatMap { status -> [Row] in
            let members = byStatus[status, default: []]
            let rest = Array(members.dropFirst(own[status, default: 0]))
            return members.prefix(own[status, default: 0]).map(Row.unit)
                + (rest.isEmpty ? [] : [.group(status, rest)])
        }
    }

    /// Labels in the tray's order, with runs of three and more shortened: `A1–A8 B2`.
    func labels(_ members: [UnitNumber]) -> String {
        SlotRuns.words(members.map(\.value)) { units[$0].record.slot }
    }
}
