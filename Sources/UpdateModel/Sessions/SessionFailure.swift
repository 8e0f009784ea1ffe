public import Bluetooth

/// Why a session with a beacon failed.
public struct SessionFailure: Error, Equatable, Sendable {
    public let code: FailureCode
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String

    public init(_ code: FailureCode, during: String, _ message: String) {
        (self.code, self.during, self.message) = (code, during, message)
    }
}

extension SessionFailure {
    /// Whether another link may help.
    public var mayReconnect: Bool {
        [.device.noAnswer, .device.linkLost, .session.answerMalformed, .session.beaconBusy].contains(code)
    }
}

/// The sessions of a maker's beacons: how they are opened, and their write interval.
public protocol SessionKind: Sendable {
    /// Authenticates both sides, and finds out the facts that all other requests need.
    associatedtype Opening: SessionDialogue

    /// The shortest time between two writes.
    var leastInterval: Duration { get }
    func opening(to address: DeviceAddress) throws(SessionFailure) -> Opening
}
