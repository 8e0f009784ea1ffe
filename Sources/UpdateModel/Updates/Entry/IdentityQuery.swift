public import Bluetooth

/// The identity query for an application that reveals its identity only in a session: run over a link before anything
/// is changed, and again after the update.
///
/// Its facts replace those of Device Information. The link stays as the dialogue leaves it, so that the application
/// can be sent to its bootloader within the session.
/// can be sent to its bootloader within the session.
public protocol IdentityQuery: Dialogue
where Ending == ApplicationFacts, Notice == Never, Failure == SessionFailure {
    /// The shortest time between two writes.
    var leastInterval: Duration { get }
}

/// Makes the identity query for the application at an address, given its primary services if they were listed; nil if
/// its facts are readable without a session. Throws if the query must not be tried.
public typealias IdentityQueryFactory =
    @Sendable (DeviceAddress, [BluetoothUUID]?) throws(SessionFailure) -> (any IdentityQuery)?

extension UpdateFailure {
    /// The update failure for a failed session.
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
