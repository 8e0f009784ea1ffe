public import Tray

/// What becomes of a person's wish to see where a unit is.
public enum BlinkEvent: Hashable, Sendable {
    /// The unit is not asked to show itself.
    case refused(BlinkRefusal)
    /// It shows itself, for so long.
    case began(Duration)
    /// It has.
    case ended
    /// It does not, or no longer.
    case failed(Verdict)
}
