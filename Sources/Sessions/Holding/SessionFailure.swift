/// Why a session with a beacon did not come to what was wanted.
public struct SessionFailure: Error, Equatable, Sendable {
    /// A stable name for a way to fail, which people script against.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, in kebab case.
        public let rawValue: String
        /// The code named `rawValue`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The beacon does not have what such a session is held over.
        public static let notOffered = Code(rawValue: "session-not-offered")
        /// The password or PIN is not the beacon's.
        public static let passwordWrong = Code(rawValue: "password-wrong")
        /// The beacon wants a PIN, and none is given for it.
        public static let passwordMissing = Code(rawValue: "password-missing")
        /// The beacon does not take a password that it has proven to know itself, or wants one more.
        public static let authenticationRefused = Code(rawValue: "authentication-refused")
        /// Something else is being asked of the beacon over the same session.
        public static let busy = Code(rawValue: "session-busy")
        /// The session is not open, or not any more.
        public static let closed = Code(rawValue: "session-closed")
        /// The beacon says that it is busy.
        public static let beaconBusy = Code(rawValue: "beacon-busy")
        /// The beacon does not have what was asked for.
        public static let notSupported = Code(rawValue: "not-supported")
        /// The beacon has refused a command.
        public static let refused = Code(rawValue: "refused-by-device")
        /// Nothing came in time.
        public static let noAnswer = Code(rawValue: "no-answer")
        /// What came is not what the protocol allows.
        public static let malformed = Code(rawValue: "answer-malformed")
        /// More came than any answer has.
        public static let tooLong = Code(rawValue: "answer-too-long")
        /// The settings are for beacons of another kind.
        public static let settingsForOthers = Code(rawValue: "settings-for-others")
        /// A setting is outside what the beacon can.
        public static let settingOutOfRange = Code(rawValue: "setting-out-of-range")
        /// With these settings nobody could find the beacon or talk to it any more.
        public static let locksAway = Code(rawValue: "locks-beacon-away")
        /// The beacon has taken settings, and reading them shows others.
        public static let settingsNotTaken = Code(rawValue: "settings-not-taken")
        /// The link was lost.
        public static let linkLost = Code(rawValue: "link-lost")
    }

    /// Which way to fail.
    public let code: Code
    /// The step that was under way.
    public let during: String
    /// The cause in one line.
    public let message: String

    /// A failure `code` of the step `during`.
    public init(_ code: Code, during: String, _ message: String) {
        (self.code, self.during, self.message) = (code, during, message)
    }
}
