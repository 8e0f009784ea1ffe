package import Bluetooth
import Synchronization

/// A line at the bottom of a terminal that says what a command does, with the time left, or else the time passed.
/// Nothing is shown without a terminal, with `--quiet` and with `--json`.
package final class ActivityLine: Sendable {
    private struct Step {
        let words: String
        let began: Duration
        /// When it ends; nil if that is not known.
        let end: Duration?
    }

    private let step = Mutex<Step?>(nil)
    private let console: Console
    private let time: Timekeeper

    package init(on console: Console, time: Timekeeper) { (self.console, self.time) = (console, time) }

    private var isShown: Bool { console.style.isTerminal && !console.style.isJSON }

    /// Shows `words` while `body` runs, which may replace them with ``show(_:for:)``. The line is gone when this returns.
    package func showing<Value>(
        _ words: String, for length: Duration? = nil, _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard isShown else { return try await body() }
        show(words, for: length)
        async let _ = redrawEverySecond()
        return try await body()
    }

    /// Shows `words` from now on, with what is left of `length`, or else the time that has passed.
    package func show(_ words: String, for length: Duration? = nil) {
        guard isShown else { return }
        let now = time.now
        step.withLock { $0 = Step(words: words, began: now, end: length.map { now + $0 }) }
        draw()
    }

    /// Shows `bar`, which the caller draws again when it changes.
    package func show(bar: TerminalText) {
        guard isShown else { return }
        step.withLock { $0 = nil }
        console.draw(bar: bar)
    }

    /// Redraws until the task is cancelled, then removes the line.
    private func redrawEverySecond() async {
        while (try? await time.sleep(for: .seconds(1))) != nil { draw() }
        step.withLock { $0 = nil }
        console.draw(lines: [])
    }

    private func draw() {
        let now = time.now
        guard let step = step.withLock({ $0 }) else { return }
        console.draw(bar: TerminalText(Self.text(step.words, since: step.began, until: step.end, at: now)))
    }

    /// `words`, with whole seconds: those left until `end`, or else those since `began`.
    static func text(_ words: String, since began: Duration, until end: Duration?, at now: Duration) -> String
    {
        if let end {
            let left = Int(((end - now) / .seconds(1)).rounded(.up))
            return left > 0 ? "\(words), \(left) s left" : words
        }
        let passed = Int((now - began) / .seconds(1))
        return passed > 0 ? "\(words), \(passed) s" : words
    }
}
