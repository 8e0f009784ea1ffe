import Bytes
import UpdateModel

/// The layout of a tray's map, which has a tile for each unit: in rows and columns by the labels, for example `A1` to
/// `F8`; with other labels, eight per row in the tray's order, or as many as fit if there are more than a page holds.
struct TrayMap: Equatable, Sendable {
    /// The rows; each tile is the index of a unit in the record, or nil for an empty place.
    let rows: [[Int?]]
    /// Whether rows and columns follow the labels.
    let isByLabel: Bool
    /// Whether all tiles are one row that wraps at the page's width.
    var isFlowing: Bool { rows.count == 1 && rows[0].count > Self.mostTiles }

    /// The most columns of a map by labels: with more, tiles would be unreadable.
    private static let mostColumns = 16
    private static let mostRows = 26
    /// The most tiles of a map in rows of eight.
    private static let mostTiles = 96

    init(_ slots: [String]) {
        let places = slots.map(Self.place)
        let known = places.compactMap(\.self)
        let width = (known.map(\.column).max() ?? -1) + 1
        let first = known.map(\.row).min() ?? 0
        let height = (known.map(\.row).max() ?? -1) + 1 - first
        let isGrid =
            known.count == slots.count && width <= Self.mostColumns && height <= Self.mostRows
            && Set(known).count == slots.count && width * height <= max(8, slots.count * 3)
        guard isGrid, !slots.isEmpty else {
            let columns = slots.count > Self.mostTiles ? slots.count : 8
            rows = stride(from: 0, to: slots.count, by: columns).map { start in
                (start..<start + columns).map { $0 < slots.count ? $0 : nil }
            }
            isByLabel = false
            return
        }
        var rows = [[Int?]](repeating: [Int?](repeating: nil, count: width), count: height)
        for (index, place) in known.enumerated() { rows[place.row - first][place.column] = index }
        (self.rows, isByLabel) = (rows, true)
    }

    private struct Place: Hashable { var row, column: Int }

    /// The place of a label that is a letter and a number from 1, for example `B3`; nil for any other label.
    private static func place(_ label: String) -> Place? {
        guard let letter = label.utf8.first, label.utf8.count <= 3 else { return nil }
        let row = Int(letter & 0xDF) - Int(UInt8(ascii: "A"))
        let digits = label.utf8.dropFirst()
        guard (0..<26).contains(row), letter >= 0x41, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(String(label.dropFirst()))
        else { return nil }
        return Place(row: row, column: number - 1)
    }
}

extension TrayRecord {
    /// The run as JUnit XML: a unit is a test case, named by its slot. A bench error is an error, not a failure; units
    /// that were skipped or are not finished are skipped.
    package var junit: String {
        let clock = RunClock(self)
        let described: [(String, String?)] = [
            ("run", id), ("tray", tray), ("station", station), ("operator", operatorName),
            ("order_number", orderNumber), ("expected", expected.map(String.init)),
        ]
        return JUnitDocument.text(
            name: "beacon-dfu batch", seconds: clock.total, began: sessions.first?.began.description,
            properties: described.compactMap { name, value in value.map { (name, $0) } },
            cases: units.map { $0.testCase(of: tray ?? "tray") })
    }
}

extension UnitRecord {
    fileprivate func testCase(of tray: String) -> JUnitDocument.Case {
        let who = [shortAddress, identifier, name].compactMap(\.self).joined(separator: " ")
        return JUnitDocument.Case(
            group: tray, name: who.isEmpty ? slot : "\(slot): \(who)", seconds: mergedAttempts?.seconds,
            ending: ending, output: mergedAttempts?.warnings.map { "warning \($0.code): \($0.message)" } ?? []
        )
    }

    private var ending: JUnitDocument.Ending? {
        guard let verdict else { return .skipped(message: "not finished") }
        let message = verdict.message ?? verdict.outcome.words
        let type = verdict.code ?? verdict.outcome.rawValue
        let lines = [
            verdict.during.map { "during: \($0)" }, verdict.state.map { "now: \($0.words)" },
            verdict.nextStep.map { "next: \($0)" },
        ].compactMap(\.self)
        return switch verdict.outcome {
        case .passed, .notNeeded: nil
        case .failed, .unknown: .failure(type: type, message: message, lines: lines)
        case .error: .error(type: type, message: message, lines: lines)
        case .skipped, .aborted: .skipped(message: message)
        }
    }
}

/// The time scale of a run, in seconds: its sessions one after the other, without the gaps between them.
struct RunClock: Sendable {
    private var spans: [Int: (began: RecordedTime, offset: Double, seconds: Double)] = [:]
    /// The starts of all sessions but the first, in seconds of this scale.
    private(set) var sessionStarts: [Double] = []
    private(set) var total = 0.0

    /// The time scale of `record`. A session that was cut off lasts until its last known moment.
    init(_ record: TrayRecord) {
        var lasts: [Int: RecordedTime] = [:]
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let last = attempt.lastMoment
            lasts[attempt.session] = max(lasts[attempt.session] ?? last, last)
        }
        for session in record.sessions {
            let end = session.ended ?? lasts[session.number] ?? session.began
            let seconds = session.seconds ?? max(0, end.seconds(since: session.began))
            if total > 0 { sessionStarts.append(total) }
            spans[session.number] = (session.began, total, seconds)
            total += seconds
        }
    }

    /// Seconds from the run's start to `moment` in the session `number`.
    func seconds(_ moment: RecordedTime, session number: Int) -> Double {
        guard let span = spans[number] else { return 0 }
        return span.offset + min(max(0, moment.seconds(since: span.began)), span.seconds)
    }

    /// Seconds from the run's start to `moment` in any session; between two sessions, to the start of the later one.
    func seconds(_ moment: RecordedTime) -> Double {
        let number = spans.filter { $0.value.began <= moment }.max { $0.value.offset < $1.value.offset }?.key
        return number.map { seconds(moment, session: $0) } ?? 0
    }
}

extension AttemptRecord {
    fileprivate var lastMoment: RecordedTime {
        let last = seconds ?? max(phases.last?.at ?? 0, speeds.last?.at ?? 0)
        return RecordedTime(
            milliseconds: began.milliseconds + Int64(Figures.whole(min(max(0, last), 1e9) * 1000)))
    }

    var knownSeconds: Double { lastMoment.seconds(since: began) }
}
