import CommandKit

/// Reports the progress of reading records: on a terminal as a line that is redrawn, on a pipe as a line
/// every few seconds, and as events.
struct RecordProgress {
    /// The delay before the first report and between reports; `pipePause` is the latter on a pipe.
    private static let pause = Duration.seconds(1)
    private static let pipePause = Duration.seconds(5)

    private let console: Console
    private let total: Int
    private let began: Duration
    private var told: Duration

    init(through total: Int, from moment: Duration, _ console: Console) {
        (self.total, self.console, began, told) = (total, console, moment, moment)
    }

    /// Reports that `count` records were read by `moment`, if a report is due.
    mutating func tell(_ count: Int, at moment: Duration) {
        let isPipe = !console.style.isJSON && !console.style.isTerminal
        guard moment - told >= (isPipe && told > began ? Self.pipePause : Self.pause) else { return }
        told = moment
        let speed = Double(count) / ((moment - began) / .seconds(1))
        let left = speed > 0 ? Double(max(0, total - count)) / speed : nil
        console.event(
            JSONLine(
                "progress",
                [
                    "records": .integer(count), "total": .integer(total),
                    "records_per_second": .rounded(speed),
                    "seconds_left": left.map(JSONValue.rounded) ?? .null,
                ]))
        guard !console.style.isJSON else { return }
        let rest = left.map { ", \(Quantities.countdown($0)) left" } ?? ""
        let line = TerminalText("\(count) of \(total) records, \(Quantities.decimal(speed))/s\(rest)")
        if console.style.isTerminal { console.draw(bar: line) } else { console.talk(line) }
    }

    /// Clears the line.
    func end() { console.draw(lines: []) }
}
