/// How a hook's command ended.
public enum HookOutcome: Hashable, Sendable {
    /// It exited with this status; `lastWords` is its last line of output.
    case exited(Int32, lastWords: String?)
    /// It was ended by this signal.
    case killed(Int32)
    /// It was stopped at its time limit.
    case late
    /// It was stopped, since its result is no longer needed.
    case cancelled
    /// It could not be started: the system's message.
    case notBegun(String)
}
