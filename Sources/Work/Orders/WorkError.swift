/// An error of a work source.
public struct WorkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How a station reacts to it.
    public enum Kind: String, Sendable {
        /// It cannot be reached, or does not answer in time: continue alone, and try again.
        case unreachable
        /// It is reachable but cannot accept anything now, for example with a full disk: as for `unreachable`.
        case unready
        /// It has refused, and will again until the user has changed something.
        case refused
        /// This program does not understand its answer.
        case notUnderstood
    }

    /// The kind, which determines the reaction.
    public let kind: Kind
    /// Its stable code, for example `engine-unreachable`.
    public let code: String
    /// The activity that failed.
    public let during: String
    /// The cause, with the work server's own message.
    public let message: String
    /// Advice for the user; nil if the code is enough.
    public let nextStep: String?

    /// Creates an error with these values.
    public init(_ kind: Kind, _ code: String, during: String, message: String, nextStep: String? = nil) {
        self.kind = kind
        self.code = code
        self.during = during
        self.message = message
        self.nextStep = nextStep
    }

    /// Whether the same call may succeed later.
    public var mayPass: Bool { kind == .unreachable || kind == .unready }

    /// The error in one line.
    public var description: String { "\(code) during \(during): \(message)" }
}
