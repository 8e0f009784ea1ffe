public import Bluetooth

/// Why a session with a beacon failed.
public struct SessionFailure: Error, Equatable, Sendable {
    /// The kind of failure.
    public let code: FailureCode
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String

    /// A failure `code` of the step `during`.
    public init(_ code: FailureCode, during: String, _ message: String) {
        (self.code, self.during, self.message) = (code, during, message)
    }
}

/// The sessions of a maker's beacons: how they are opened, and their write interval.
public protocol SessionKind: Sendable {
    /// Authenticates both sides, and finds out the facts that all other requests need.
    associatedtype Opening: Dialogue where Opening.Notice == Never, Opening.Failure == SessionFailure

    /// The shortest time between two writes.
    var leastInterval: Duration { get }
    /// Opens a session with the beacon at `address`.
    func opening(to address: DeviceAddress) throws(SessionFailure) -> Opening
}

/// A password or PIN, which is printed as dots.
public struct Secret: Hashable, Sendable {
    /// Its bytes, for computations and for sending.
    public let bytes: [UInt8]

    /// The secret with these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The secret `text`, in UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots instead of the secret.
    public var description: String { "•••" }
    /// Dots instead of the secret.
    public var debugDescription: String { description }
    /// Empty, so that `dump` and test messages show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
