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

/// The sessions of a maker's beacons: how they are opened, and their write interval.
public protocol SessionKind: Sendable {
    /// Authenticates both sides, and finds out the facts that all other requests need.
    associatedtype Opening: SessionDialogue

    /// The shortest time between two writes.
    var leastInterval: Duration { get }
    func opening(to address: DeviceAddress) throws(SessionFailure) -> Opening
}

/// A password or PIN, which is printed as dots.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "•••" }
    public var debugDescription: String { description }
    /// Empty, so that `dump` and test messages show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
