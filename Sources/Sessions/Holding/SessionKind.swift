public import BluetoothTypes

/// How beacons of a maker are spoken to: what opens a session, and at what pace it is held.
public protocol SessionKind: Sendable {
    /// What authenticates both sides, and finds out what has to be known for everything else.
    associatedtype Opening: Dialogue where Opening.Notice == Never, Opening.Failure == SessionFailure

    /// The least time between two writes.
    var leastInterval: Duration { get }
    /// What opens a session with the beacon at `address`.
    func opening(to address: DeviceAddress) throws(SessionFailure) -> Opening
}
