/// What became of a wish for more time.
public enum Renewal: Hashable, Sendable {
    /// The unit is the station's for so long from when it asked; nil for good.
    case renewed(for: Duration?)
    /// It is not the station's any more.
    case lost
}
