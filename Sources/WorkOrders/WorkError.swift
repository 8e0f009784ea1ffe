/// Why a source of work has not done what it was asked.
public struct WorkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a station does about it.
    public enum Kind: String, Sendable {
        /// It cannot be reached, or does not answer in time: go on alone, and try again.
        case unreachable
        /// It is there and cannot take anything now, as with a full disk: the same.
        case unready
        /// It has refused, and will again until a person has changed something.
        case refused
        /// Its answer is none that this program understands.
        case notUnderstood
    }

    /// What to do about it.
    public let kind: Kind
    /// Its stable code, as `engine-unreachable`.
    public let code: String
    /// What was being done.
    public let during: String
    /// What happened, with the engine's own words.
    public let message: String
    /// What a person can do next; nil where the code says it all.
    public let nextStep: String?

    /// A failure as described.
    public init(_ kind: Kind, _ code: String, during: String, message: String, nextStep: String? = nil) {
        self.kind = kind
        self.code = code
        self.during = during
        self.message = message
        self.nextStep = nextStep
    }

    /// Whether the same call may do later.
    public var mayPass: Bool { kind == .unreachable || kind == .unready }

    /// What happened, in one line.
    public var description: String { "\(code) during \(during): \(message)" }
}
