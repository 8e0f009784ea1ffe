public import Tray

/// What came of sending something.
public enum OutboxAnswer: Hashable, Sendable {
    /// It was taken.
    case acknowledged
    /// It is to be sent again, not before `due`: why.
    case retry(String, due: RecordedTime)
    /// It will never be taken: why.
    case refused(String)
}
