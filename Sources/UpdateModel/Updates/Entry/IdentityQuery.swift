public import Bluetooth

/// The identity query for an application that reveals its identity only in a session: run over a link before anything
/// is changed, and again after the update.
///
/// Its facts replace those of Device Information. The session stays open after it, so that the application can be told
/// in the session to start its bootloader.
public protocol IdentityQuery: SessionDialogue where Ending == ApplicationFacts {
    /// The shortest time between two writes.
    var leastInterval: Duration { get }
}

/// Makes the identity query for the application at an address, given its primary services if they were listed; nil if
/// its facts are readable without a session. Throws if the query must not be tried.
public typealias IdentityQueryFactory =
    @Sendable (DeviceAddress, [BluetoothUUID]?) throws(SessionFailure) -> (any IdentityQuery)?

/// An update that runs the identity query within its own conversation: before any other request, and not on links
/// that the device opens only for the transfer.
public protocol IdentifyingProcedure: UpdateProcedure {
    /// The identity query; nil if none is needed. Set before `begin` on each link.
    var identityQuery: (any IdentityQuery)? { get set }
    /// The facts that the application first reported; nil before that.
    var identified: ApplicationFacts? { get }
}
