/// The state of a work order.
public enum OrderState: String, CaseIterable, Codable, Sendable {
    /// It is being written and not yet worked on.
    case draft
    /// Only the golden units are worked on, until they have passed.
    case golden
    /// Its units are worked on.
    case open
    /// No further unit starts until an approver releases it; units at work continue.
    case held
    /// Every unit is on its firmware.
    case done
    /// It was cancelled. Units at work continue to their end.
    case cancelled
}
