/// How a hook's command has ended.
public enum HookOutcome: Hashable, Sendable {
    /// By itself, with this status, and with this as the last line that it has printed.
    case exited(Int32, lastWords: String?)
    /// By a signal of this number.
    case killed(Int32)
    /// Not within its time; it was ended.
    case late
    /// It was ended, since nobody waits any more.
    case cancelled
    /// It could not be begun: what the system says.
    case notBegun(String)
}
