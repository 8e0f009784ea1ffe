/// What is known of the beacon that a code means, by whoever has listened and keeps the history.
public enum CodeStanding: Hashable, Sendable {
    /// It belongs here, and has not passed yet.
    case expected
    /// It was not heard, or is not of this order.
    case unknown
    /// It has passed with this firmware already.
    case passed
}
