/// The outcome of a request to make a unit blink.
public enum BlinkEvent: Hashable, Sendable {
    /// The unit is not asked to blink.
    case refused(BlinkRefusal)
    /// It blinks, for this long.
    case began(Duration)
    /// It has finished.
    case ended
    /// It did not blink, or not to the end.
    case failed(UnitVerdict)
}
