/// The outcome of a lease renewal.
public enum Renewal: Hashable, Sendable {
    /// The station keeps the unit for this long from its request; nil for no end.
    case renewed(for: Duration?)
    /// The station no longer has the unit.
    case lost
}
