import CommandKit
import Tray
import UpdateModel

extension TrayBoard {
    /// The lines for a terminal of `size` at `moment`. They fit a terminal of at least 5 rows and 21 columns.
    mutating func frame(in size: TerminalSize, at moment: Duration, hasColour: Bool = true) -> [TerminalText]
    {
        let paint = Paint(hasColour: hasColour)
        let width = max(20, size.columns - 1)
        // The last row stays free for what other programs may print.
        let height = max(4, size.rows - 1)
        let head = header(width, moment, paint)
        let foot = footer(paint)
        let room = max(1, height - head.count - 1)
        let body: [TerminalText]
        switch mode {
        case .details(let unit): body = Array(details(of: unit, width, moment, paint).prefix(room))
        case .help: body = Array(Self.help.prefix(room))
        default: body = list(room, width, moment, paint)
        }
        return (head + body + [foot]).map { $0.clipped(to: width) }
    }

    /// Applies colours if they are enabled.
    struct Paint: Sendable {
        let hasColour: Bool

        func callAsFunction(_ text: TerminalText, _ colour: TerminalText.Colour?) -> TerminalText {
            guard hasColour, let colour else { return text }
            return text.painted(colour)
        }
    }

    // MARK: Header and footer

    private mutating func header(_ width: Int, _ moment: Duration, _ paint: Paint) -> [TerminalText] {
        let counts = state.counts
        let done = paint("\(counts.good) of \(counts.units) done", .bold)
        let listed: [UnitStatus] = [.failed, .unknown, .error, .stalled, .running, .waiting]
        let summary = listed.reduce(done) { line, status in
            let count = counts[status]
            let words = status.words(count) + (status == .running ? linked(count) : "")
            return count > 0 ? line + " · " + paint("\(words)", status.colour) : line
        }
        let name = TerminalText(title)
        let room = width - summary.width - 2
        let first =
            name.width <= room || room >= 12 ? name.clipped(to: max(0, room)) + "  " + summary : summary
        var lines = [first, speedLine(moment, paint)]
        if isEnding {
            lines.append(paint("ending: running units finish, no others start", .yellow))
        } else if let hold, hold.code != FailureCode.tray.paused.rawValue {
            lines.append(paint("HELD: \(hold.message); p resumes", .yellow))
        } else if isPaused || hold != nil {
            lines.append(paint("PAUSED: running units finish, no others start; p resumes", .yellow))
        }
        return lines
    }

    /// How many of the `running` units have a link, if not all have: `, 8 linked`.
    private func linked(_ running: Int) -> String {
        let links = state.adapters.reduce(0) { $0 + $1.links }
        return links < running ? ", \(links) linked" : ""
    }

    private mutating func speedLine(_ moment: Duration, _ paint: Paint) -> TerminalText {
        var parts: [TerminalText] = [
            "\(Quantities.countdown(max(0, (moment - began) / .seconds(1)).rounded(.down)))",
            TerminalText(Quantities.speed(Double(state.bytesPerSecond(at: moment)))),
        ]
        if let left = secondsLeft(at: moment) { parts.append("ETA \(Quantities.countdown(left))") }
        for adapter in state.adapters {
            guard adapter.isThere else {
                parts.append(paint("\(adapter.name) is gone", .red))
                continue
            }
            parts.append("\(adapter.name) \(adapter.links)\(adapter.limit.map { "/\($0)" } ?? "") links")
        }
        if let share = state.counts.firstPassYield.share { parts.append("first pass \(Percentage(share))") }
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }

    /// The seconds that the rest of the run takes; nil while that is not known, and while the run is paused.
    func secondsLeft(at moment: Duration) -> Double? { isPaused ? nil : state.secondsLeft(at: moment) }

    private func footer(_ paint: Paint) -> TerminalText {
        if let message, mode != .filtering, mode != .confirmingEnd {
            return paint(TerminalText(message), .yellow)
        }
        switch mode {
        case .filtering: return "/\(filter)_   Enter keeps the filter, Esc clears it"
        case .confirmingEnd:
            return paint("End the run? Running units finish, no others start. y ends it", .yellow)
        case .details: return paint("s skip  r retry  b blink  any other key goes back", .dim)
        case .help: return paint("any key goes back", .dim)
        case .units:
            let shown = filter.isEmpty ? "" : "/\(filter)  Esc shows all  "
            return paint(
                "\(shown)p pause  s skip  r retry  d details  b blink  / filter  q quit  ? keys", .dim)
        }
    }

    private static let help: [TerminalText] = [
        "↑ ↓ j k     choose a unit; Home and End: the first, the last; PgUp PgDn scroll",
        "d Enter     details of the unit  g   group units by status, or list each",
        "s           skip the unit: it is left out, or stops at its next safe point",
        "r           retry the unit", "b           make the unit blink, if it can",
        "p           start no further unit; again: resume, also after a hold",
        "/           only units with these words: slot, name, address, model, state",
        "Esc         show all again", "q           end: running units finish, no others start",
        "Ctrl-C      the same; twice: running units stop at their next safe point",
        "F failed  U unknown  E error of the bench  ! stalled  R running  . waiting",
        "A aborted  S skipped  N not needed  P passed  * golden unit",
    ]

    // MARK: The list

    private mutating func list(_ room: Int, _ width: Int, _ moment: Duration, _ paint: Paint)
        -> [TerminalText]
    {
        let rows = rows(room: room)
        let isPaged = rows.count > room
        let space = isPaged ? room - 1 : room
        limitScrolling(rows: rows.count, room: max(1, space))
        choose(in: rows)
        guard !rows.isEmpty else { return ["no unit matches '\(filter)'"] }
        let columns = Columns(units, width)
        let shown = rows[scrolledRows..<min(rows.count, scrolledRows + max(1, space))]
        // Spare rows are used to show all members of groups.
        var spare = space - shown.count
        var lines: [TerminalText] = []
        for row in shown {
            switch row {
            case .unit(let number): lines.append(line(number, columns, moment, paint))
            case .group(let status, let members):
                // Other units with the same status may have rows of their own.
                let isRest = members.count < units.count { $0.status == status }
                let words = status.words(members.count, more: isRest)
                let text = TerminalText("  \(status.letter) \(words): \(labels(members))")
                let pieces = text.wrapped(to: width)
                let taken = min(pieces.count, 1 + max(0, spare))
                spare -= taken - 1
                var kept = Array(pieces.prefix(taken))
                if taken < pieces.count { kept[taken - 1] = (kept[taken - 1] + " …").clipped(to: width) }
                lines += kept.map { paint($0, status.colour) }
            }
        }
        if isPaged {
            let last = scrolledRows + shown.count
            lines.append(
                paint("  \(scrolledRows + 1) to \(last) of \(rows.count) lines; PgUp and PgDn scroll", .dim))
        }
        return lines
    }

    /// The widths of a row's columns, in cells.
    private struct Columns {
        let slot, address, name, bar: Int

        static let wideBar = 24

        init(_ units: [RunState.Unit], _ width: Int) {
            slot = min(8, max(2, units.map { TerminalText($0.record.slot).width }.max() ?? 2))
            address = width < 60 ? 0 : 17
            let longest = units.map { TerminalText($0.record.name ?? "").width }.max() ?? 0
            name = min(longest, width < 60 ? 0 : width < 100 ? 14 : 28)
            bar = width < 100 ? 10 : Self.wideBar
        }
    }

    private func line(_ number: UnitNumber, _ columns: Columns, _ moment: Duration, _ paint: Paint)
        -> TerminalText
    {
        let unit = units[number.value]
        let mark: TerminalText = chosen == number ? "> " : "  "
        var line =
            mark
            + paint(
                "\(unit.status.letter) \(TerminalText(unit.record.slot).fitted(to: columns.slot))",
                unit.status.colour)
        line = line + (unit.record.isGolden ? "* " : "  ")
        if columns.address > 0 {
            line = line + TerminalText(unit.displayAddress).fitted(to: columns.address) + " "
        }
        if columns.name > 0 {
            line =
                line + TerminalText(unit.record.name ?? "").withDirectionMark.fitted(to: columns.name) + " "
        }
        return line + state(of: unit, columns.bar, moment, paint)
    }

    private func state(of unit: RunState.Unit, _ bar: Int, _ moment: Duration, _ paint: Paint) -> TerminalText
    {
        guard let attempt = unit.attempt else { return ending(of: unit, bar, paint) }
        if unit.status == .waiting { return paint("waiting", .dim) }
        let again = attempt.number > 1 ? ", attempt \(attempt.number)" : ""
        if let since = unit.stalled {
            let silence = Int(max(.zero, moment - since) / .seconds(1))
            return paint("\(percent(unit))no progress for \(silence) s\(again)", .yellow)
        }
        guard unit.phase == .transferring, let share = share(of: unit) else {
            return "\((unit.phase ?? .connecting).words)\(again)"
        }
        let filled = Int(share * Double(bar))
        let track = String(repeating: "#", count: filled) + String(repeating: ".", count: bar - filled)
        return "\(percent(unit))[\(track)] \(Quantities.speed(unit.bytesPerSecond ?? 0))\(again)"
    }

    private func ending(of unit: RunState.Unit, _ bar: Int, _ paint: Paint) -> TerminalText {
        guard let verdict = unit.record.verdict else {
            return unit.record.attempts.isEmpty ? paint("waiting", .dim) : paint("waiting for a retry", .dim)
        }
        let status = unit.status
        if verdict.outcome.isGood {
            let version = unit.record.attempts.last?.versionAfter
            return paint("\(status.words)\(version.map { " \($0)" } ?? "")", .green)
        }
        let now = verdict.state.map { state in
            bar < Columns.wideBar
                ? ", app \(state.application)" : ", \(state.program), application \(state.application)"
        }
        return paint("\(verdict.code ?? status.words)\(now ?? "")", status.colour)
    }

    /// The share of the image that was sent, from 0 to 1; nil while the size of the image is not known.
    private func share(of unit: RunState.Unit) -> Double? { unit.share ?? (unit.total > 0 ? 0 : nil) }

    private func percent(_ unit: RunState.Unit) -> String {
        guard let share = share(of: unit) else { return "" }
        let text = String(Int(share * 100))
        return String(repeating: " ", count: max(0, 3 - text.count)) + text + " % "
    }

    func details(of number: UnitNumber, _ width: Int, _ moment: Duration, _ paint: Paint) -> [TerminalText] {
        guard let unit = self[number] else { return [] }
        let record = unit.record
        var lines: [TerminalText] = [
            paint(
                "\(record.slot): \(unit.status.words)\(record.isGolden ? ", golden unit" : "")",
                unit.status.colour)
        ]
        func add(_ name: String, _ text: String?) {
            if let text { lines += TerminalText("  \(name): \(text)").wrapped(to: width) }
        }
        add("address", record.address)
        for field in RecordField.all {
            guard let title = field.board else { continue }
            let maker = title == "model" ? [record.vendor] : []
            let words = (maker + [field.words(FieldSource(record))]).compactMap(\.self)
            if !words.isEmpty || title == "model" { add(title, words.joined(separator: " ")) }
        }
        if let verdict = record.verdict, unit.attempt == nil {
            add("cause", verdict.reason)
            add("state", verdict.state?.words)
            add("next step", verdict.nextStep)
        }
        if let attempt = unit.attempt {
            add(
                "now",
                "attempt \(attempt.number) with \(attempt.adapter), \(Quantities.seconds(max(0, (moment - unit.began) / .seconds(1))))"
            )
            add("phase", unit.phase?.rawValue)
            add("sent", unit.total > 0 ? Quantities.part(unit.sent ?? 0, of: unit.total) : nil)
            add("installing", attempt.firmware.map { "\($0.version ?? "?") from \($0.path)" })
        }
        for attempt in record.attempts.reversed() { add("attempt \(attempt.number)", Self.words(attempt)) }
        return lines
    }

    private static func words(_ attempt: AttemptRecord) -> String {
        var words = [attempt.adapter, attempt.verdict?.outcome.rawValue ?? "cut off"]
        if let code = attempt.verdict?.code { words.append(code) }
        if let seconds = attempt.seconds { words.append(Quantities.seconds(seconds)) }
        if let transfer = attempt.transfer { words.append(Quantities.speed(transfer.average)) }
        if let times = attempt.timesSent, times > 1 { words.append("image sent \(times) times") }
        words.append("\(attempt.versionBefore ?? "?") → \(attempt.versionAfter ?? "?")")
        return (words + attempt.warnings.map { "\($0.code): \($0.message)" }).joined(separator: ", ")
    }
}
