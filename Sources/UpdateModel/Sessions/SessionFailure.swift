public import Bluetooth

/// Why a session with a beacon failed.
public struct SessionFailure: Error, Equatable, Sendable {
    /// A stable name of a failure, for scripts.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, in kebab case.
        public let rawValue: String
        /// The code named `rawValue`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The beacon lacks the service for such a session.
        public static let notOffered = Code(rawValue: "session-not-offered")
        /// The password or PIN is wrong.
        public static let passwordWrong = Code(rawValue: "password-wrong")
        /// The beacon requires a PIN, but none is given for it.
        public static let passwordMissing = Code(rawValue: "password-missing")
        /// The beacon refuses a password that it has proven to know, or requires another one.
        public static let authenticationRefused = Code(rawValue: "authentication-refused")
        /// Another request is under way in the same session.
        public static let busy = Code(rawValue: "session-busy")
        /// The session is not open, or no longer open.
        public static let closed = Code(rawValue: "session-closed")
        /// The beacon reports that it is busy.
        public static let beaconBusy = Code(rawValue: "beacon-busy")
        /// The beacon does not support the request.
        public static let notSupported = Code(rawValue: "not-supported")
        /// The beacon has refused a command.
        public static let refused = Code(rawValue: "refused-by-device")
        /// Timeout.
        public static let noAnswer = Code(rawValue: "no-answer")
        /// The response violates the protocol.
        public static let malformed = Code(rawValue: "answer-malformed")
        /// The response is longer than any valid one.
        public static let tooLong = Code(rawValue: "answer-too-long")
        /// The settings are for beacons of another kind.
        public static let settingsForOthers = Code(rawValue: "settings-for-others")
        /// A setting is outside the beacon's range.
        public static let settingOutOfRange = Code(rawValue: "setting-out-of-range")
        /// With these settings the beacon could no longer be found or connected.
        public static let locksAway = Code(rawValue: "locks-beacon-away")
        /// The beacon has accepted settings, but reading them shows others.
        public static let settingsNotTaken = Code(rawValue: "settings-not-taken")
        /// The link was lost.
        public static let linkLost = Code(rawValue: "link-lost")
    }

    /// The kind of failure.
    public let code: Code
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String

    /// A failure `code` of the step `during`.
    public init(_ code: Code, during: String, _ message: String) {
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
