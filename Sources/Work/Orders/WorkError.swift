package import UpdateModel

package struct WorkError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The work server cannot be reached, or does not answer in time: continue without it, and try again.
        case unreachable
        /// The work server is reachable but accepts nothing now, for example on a full disk: as for `unreachable`.
        case unready
        /// The work server has refused the call, and will do so until the user has changed something.
        case refused
        /// This program does not understand the work server's answer.
        case notUnderstood
    }

    package let kind: Kind
    package let code: FailureCode
    package let during, message: String
    /// Advice for the user; nil if the code is enough.
    package let nextStep: String?

    package init(_ kind: Kind, _ code: FailureCode, during: String, message: String, nextStep: String? = nil)
    {
        (self.kind, self.code, self.during, self.message) = (kind, code, during, message)
        self.nextStep = nextStep
    }

    /// Whether the same call may succeed later.
    package var mayPass: Bool { kind == .unreachable || kind == .unready }

    package var description: String { "\(code) during \(during): \(message)" }
}
