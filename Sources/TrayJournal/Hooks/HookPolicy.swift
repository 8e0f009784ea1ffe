package import Bluetooth
package import Tray

/// Time limits of a hook, and the meaning of its exit codes (sysexits(3)).
///
/// | result | meaning |
/// |---|---|
/// | 0 | accepted |
/// | 65 | permanently refused: set aside at once |
/// | 75, 126 (not executable), 127 (not found), not started | the hook is unavailable: tried again until it is available |
/// | anything else, a signal, timeout | tried again; set aside after a few tries so as not to block others |
package struct HookPolicy: Hashable, Sendable {
    package var deadline = Duration.seconds(30)
    /// How many tries of the same call may fail because of its content before it is set aside.
    package var mostFaults = 5
    package var backoff = Backoff(first: .seconds(1), longest: .seconds(60))

    package init() {}

    /// The answer to record for a try that ended with `outcome`, after `faults` earlier faults; nil if it was cancelled.
    /// `isFault`: whether the try failed because of its content, not because the hook is unavailable.
    package func answer(
        to outcome: HookOutcome, tries: Int, faults: Int, at moment: RecordedTime
    ) -> (answer: OutboxAnswer, isFault: Bool)? {
        var isFault = true
        switch outcome {
        case .cancelled: return nil
        case .exited(0, _): return (.acknowledged, false)
        case .exited(65, _): return (.refused(outcome.words), true)
        case .exited(75, _), .exited(126, _), .exited(127, _), .notBegun: isFault = false
        case .exited, .killed, .late: break
        }
        if isFault, faults + 1 >= mostFaults {
            return (.refused("\(outcome.words), \(faults + 1) times"), true)
        }
        let due = moment.milliseconds + Int64(pause(after: tries) / .milliseconds(1))
        return (.retry(outcome.words, due: RecordedTime(milliseconds: due)), isFault)
    }

    /// The pause after this many tries; zero before the first.
    func pause(after tries: Int) -> Duration { tries > 0 ? backoff.pause(after: tries) : .zero }
}

extension HookOutcome {
    var words: String {
        switch self {
        case .exited(let status, let lastLine): "exit code \(status)" + (lastLine.map { ": \($0)" } ?? "")
        case .killed(let signal): "ended by signal \(signal)"
        case .late: "took too long"
        case .cancelled: "was stopped"
        case .notBegun(let why): "could not be started: \(why)"
        }
    }
}
