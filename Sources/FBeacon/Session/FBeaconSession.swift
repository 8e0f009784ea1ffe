public import BluetoothTypes
public import Sessions

/// How Feasycom's beacons are spoken to (fbeacon.md).
public struct FBeaconSession: SessionKind {
    private let authenticator: any FBeaconAuthenticator

    /// Sessions with beacons that `authenticator` gets us into.
    public init(by authenticator: any FBeaconAuthenticator = NoAuthentication()) {
        self.authenticator = authenticator
    }

    /// The maker's library leaves as much between two writes.
    public var leastInterval: Duration { Self.leastInterval }
    static let leastInterval = Duration.milliseconds(10)
    /// The AT engine, and whatever lets us in.
    public func opening(to address: DeviceAddress) -> FBeaconQuery {
        FBeaconQuery(by: authenticator)
    }
}
