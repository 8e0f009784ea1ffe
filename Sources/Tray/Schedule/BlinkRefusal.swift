/// Why a unit does not blink.
public enum BlinkRefusal: Hashable, Sendable {
    /// Its update has begun and not ended.
    case atWork
    /// It already blinks, or is about to.
    case isShown
    /// No present adapter has heard it.
    case notHeard
    /// The run is ending.
    case stopped
}
