/// Why a unit does not show a person where it is.
public enum BlinkRefusal: Hashable, Sendable {
    /// Its update has begun and not ended.
    case atWork
    /// It does already, or is about to.
    case isShown
    /// No adapter that is there has heard it.
    case notHeard
    /// The run ends.
    case stopped
}
