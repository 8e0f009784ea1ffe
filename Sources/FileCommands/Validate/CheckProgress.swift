import CommandKit
import Firmware

/// The progress of a run over many files, drawn on terminals at most ten times a second.
struct CheckProgress {
    private let total: Int
    private let console: Console
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var drawn: ContinuousClock.Instant
    private var done = 0

    init(total: Int, console: Console) {
        self.total = total
        self.console = console
        start = clock.now
        drawn = start
    }

    /// The time since the start.
    var seconds: Double { (clock.now - start) / .seconds(1) }

    mutating func advance() {
        done += 1
        let now = clock.now
        guard console.style.isTerminal, now - drawn >= .milliseconds(100) else { return }
        drawn = now
        let rate = Double(done) / max(seconds, 0.001)
        let left = Quantities.countdown(Double(total - done) / max(rate, 0.001))
        console.draw(bar: "checked \(done) of \(total) files, \(Int(rate)) files/s, \(left) left")
    }

    func end() { console.draw(bar: "") }
}
