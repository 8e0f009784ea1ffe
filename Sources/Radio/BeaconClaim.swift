/// That no other program of this machine updates or reads a beacon, for as long as this lives.
public final class BeaconClaim: Sendable {
    private let held: (any Sendable)?

    /// A claim that lasts as long as `held`; nil where there is nobody to keep off.
    public init(keeping held: (any Sendable)? = nil) { self.held = held }
}
