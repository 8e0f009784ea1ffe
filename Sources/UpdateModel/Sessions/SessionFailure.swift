public import Bluetooth

/// Why a session with a beacon failed.
public struct SessionFailure: Error, Equatable, Sendable {
    public let code: FailureCode
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String
    /// The next step in this case; nil for that of the code.
    public let remedy: Advice?

    public init(_ code: FailureCode, during: String, _ message: String, remedy: Advice? = nil) {
        (self.code, self.during, self.message, self.remedy) = (code, during, message, remedy)
    }

    /// The failure with `more` at the end of its message, and with `remedy`, if there is one, as the next step.
    public func adding(_ more: String, remedy: Advice? = nil) -> SessionFailure {
        SessionFailure(code, during: during, "\(message); \(more)", remedy: remedy ?? self.remedy)
    }

    /// Whether another link may help.
    public var mayReconnect: Bool {
        [.device.noAnswer, .device.linkLost, .session.answerMalformed, .session.beaconBusy].contains(code)
    }
}

extension FailureCode {
    /// Whether the device has answered in its session that it does not do what was requested.
    package var isRefusal: Bool {
        [.session.refusedByDevice, .session.notSupported, .session.beaconBusy].contains(self)
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
