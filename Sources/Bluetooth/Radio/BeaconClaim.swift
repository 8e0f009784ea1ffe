/// Keeps other programs of this machine from updating or reading a beacon during its lifetime.
public final class BeaconClaim: Sendable {
    private let held: (any Sendable)?

    /// A claim that keeps `held`, such as a lock, alive; nil if no other program can reach the beacon.
    public init(keeping held: (any Sendable)? = nil) { self.held = held }
}
