public import Tray

/// The outcome of sending an entry.
public enum OutboxAnswer: Hashable, Sendable {
    /// It was accepted.
    case acknowledged
    /// Send it again, not before `due`: the reason.
    case retry(String, due: RecordedTime)
    /// It will never be accepted: the reason.
    case refused(String)
}
