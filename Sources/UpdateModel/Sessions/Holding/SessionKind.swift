public import Bluetooth

/// The sessions of a maker's beacons: how they are opened, and their write interval.
public protocol SessionKind: Sendable {
    /// Authenticates both sides, and finds out the facts that all other requests need.
    associatedtype Opening: Dialogue where Opening.Notice == Never, Opening.Failure == SessionFailure

    /// The shortest time between two writes.
    var leastInterval: Duration { get }
    /// Opens a session with the beacon at `address`.
    func opening(to address: DeviceAddress) throws(SessionFailure) -> Opening
}
