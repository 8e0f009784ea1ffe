import CommandKit
import Tray
import UpdateModel

extension TrayBoard {
    /// Everything about a unit, its newest attempt first.
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
            let words = (maker + [field.words(RecordRow(record))]).compactMap(\.self)
            if !words.isEmpty || title == "model" { add(title, words.joined(separator: " ")) }
        }
        if let verdict = record.verdict, unit.attempt == nil {
            add("cause", [verdict.code, verdict.message].compactMap(\.self).joined(separator: ": "))
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
        words.append("\(attempt.versionBefore ?? "?") → \(attempt.versionAfter ?? "?")")
        return (words + attempt.warnings.map { "\($0.code): \($0.message)" }).joined(separator: ", ")
    }
}
