public import Tray
public import TrayJournal

/// How long a hook may take, and what its endings mean (sysexits(3)).
///
/// | ending | |
/// |---|---|
/// | 0 | taken |
/// | 65 | never to be taken: set aside at once |
/// | 75, 126, 127, not begun | the hook is not there now: tried again until it is |
/// | anything else, a signal, too late | tried again; set aside after a few, lest it hold up the others |
public struct HookPolicy: Hashable, Sendable {
    /// So long a call may take.
    public var deadline = Duration.seconds(30)
    /// So often the same call may fail for a reason of its own.
    public var mostFaults = 5
    /// The first pause between two tries; each is twice the one before.
    public var firstPause = Duration.seconds(1)
    /// No pause is longer.
    public var longestPause = Duration.seconds(60)

    /// The program's.
    public init() {}

    private static let (refused, laterOn, notExecutable, notFound): (Int32, Int32, Int32, Int32) = (
        65, 75, 126, 127
    )

    /// What `end` means for a call, `faults` of whose tries have failed for a reason of its own, this one not counted.
    ///
    /// - Returns: nil where it means nothing: the call was cancelled.
    public func answer(
        to end: HookOutcome, tries: Int, faults: Int, at moment: RecordedTime
    ) -> (answer: OutboxAnswer, isFault: Bool)? {
        var isFault = true
        switch end {
        case .cancelled: return nil
        case .exited(0, _): return (.acknowledged, false)
        case .exited(Self.refused, _): return (.refused(end.words), true)
        case .exited(Self.laterOn, _), .exited(Self.notExecutable, _), .exited(Self.notFound, _), .notBegun:
            isFault = false
        case .exited, .killed, .late: break
        }
        if isFault, faults + 1 >= mostFaults {
            return (.refused("\(end.words), \(faults + 1) times"), true)
        }
        let due = RecordedTime(
            milliseconds: moment.milliseconds + Int64(pause(after: tries) / .milliseconds(1)))
        return (.retry(end.words, due: due), isFault)
    }

    /// The pause after so many tries; none before the first.
    func pause(after tries: Int) -> Duration {
        guard tries > 0 else { return .zero }
        var pause = firstPause
        for _ in 1..<max(2, tries) where tries > 1 && pause < longestPause { pause *= 2 }
        return min(pause, longestPause)
    }
}

extension HookOutcome {
    /// The ending in a line, with what the hook has said itself.
    var words: String {
        switch self {
        case .exited(let status, let said): "exit code \(status)" + (said.map { ": \($0)" } ?? "")
        case .killed(let signal): "ended by signal \(signal)"
        case .late: "took too long"
        case .cancelled: "was ended"
        case .notBegun(let why): "could not be begun: \(why)"
        }
    }
}
