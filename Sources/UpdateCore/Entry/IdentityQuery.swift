public import BluetoothTypes
public import Sessions

/// How an application that tells nobody but its owner what it is, is asked for that: over a link to it, before anything is
/// done to it, and again when the update is over.
///
/// What it says counts in place of its Device Information. The link stays as the dialogue leaves it, so that the application
/// can be sent to its bootloader within the session.
public protocol IdentityQuery: Dialogue
where Ending == ApplicationFacts, Notice == Never, Failure == SessionFailure {
    /// The least time between two writes.
    var leastInterval: Duration { get }
}

/// What introduces us to the application at an address, by the primary services that it has, where they were listed; nil where
/// it tells everybody what it is. Throws where that must not be tried.
public typealias IdentityQueryFactory =
    @Sendable (DeviceAddress, [BluetoothUUID]?) throws(SessionFailure) -> (any IdentityQuery)?

extension UpdateFailure {
    /// What a session has failed with, for an update.
    public init(_ failure: SessionFailure) {
        self.init(
            FailureCode(rawValue: failure.code.rawValue), during: failure.during, message: failure.message,
            mayReconnect: failure.mayPass)
    }
}

extension SessionFailure {
    /// Whether another link may help.
    public var mayPass: Bool { [.noAnswer, .linkLost, .malformed, .beaconBusy].contains(code) }
}
