package import Bluetooth
package import Tray

/// Time limits of a hook, and the meaning of its exit codes (sysexits(3)).
///
/// | result | meaning |
/// |---|---|
/// | 0 | accepted |
/// | 65 | permanently refused: set aside at once |
/// | 75, 126 (not executable), 127 (not found), not started | the hook is not available now: tried again until it is |
/// | anything else, a signal, timeout | tried again; set aside after a few tries so as not to block others |
package struct HookPolicy: Hashable, Sendable {
    package var deadline = Duration.seconds(30)
    /// How many tries of the same call may fail by the call's own fault (`isFault`) before it is set aside.
    package var mostFaults = 5
    package var backoff = Backoff(first: .seconds(1), longest: .seconds(60))

    package init() {}

    /// The answer to record for a try that ended with `end`, after `faults` earlier faults; nil if it was cancelled.
    /// `isFault`: whether the try failed by the call's own fault, and not because the hook is not available.
    package func answer(
        to end: HookOutcome, tries: Int, faults: Int, at moment: RecordedTime
    ) -> (answer: OutboxAnswer, isFault: Bool)? {
        var isFault = true
        switch end {
        case .cancelled: return nil
        case .exited(0, _): return (.acknowledged, false)
        case .exited(65, _): return (.refused(end.words), true)
        case .exited(75, _), .exited(126, _), .exited(127, _), .notBegun: isFault = false
        case .exited, .killed, .late: break
        }
        if isFault, faults + 1 >= mostFaults { return (.refused("\(end.words), \(faults + 1) times"), true) }
        let due = moment.milliseconds + Int64(pause(after: tries) / .milliseconds(1))
        return (.retry(end.words, due: RecordedTime(milliseconds: due)), isFault)
    }

    /// The pause after this many tries; zero before the first.
    func pause(after tries: Int) -> Duration { tries > 0 ? backoff.pause(after: tries) : .zero }
}

extension HookOutcome {
    var words: String {
        switch self {
        case .exited(let status, let said): "exit code \(status)" + (said.map { ": \($0)" } ?? "")
        case .killed(let signal): "ended by signal \(signal)"
        case .late: "took too long"
        case .cancelled: "was stopped"
        case .notBegun(let why): "could not be started: \(why)"
        }
    }
}
