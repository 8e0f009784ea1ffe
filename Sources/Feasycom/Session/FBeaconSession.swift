public import Bluetooth
public import UpdateModel

/// Sessions with Feasycom's beacons (fbeacon.md).
public struct FBeaconSession: SessionKind {
    private let authenticator: any FBeaconAuthenticator

    /// Sessions that authenticate with `authenticator`.
    public init(by authenticator: any FBeaconAuthenticator = NoAuthentication()) {
        self.authenticator = authenticator
    }

    /// The maker's library leaves the same time between two writes.
    public var leastInterval: Duration { Self.leastInterval }
    static let leastInterval = Duration.milliseconds(10)
    /// Opens the AT engine and authenticates.
    public func opening(to address: DeviceAddress) -> FBeaconQuery {
        FBeaconQuery(by: authenticator)
    }
}
