/// Why the controller did not carry out a command.
enum HCIError: Error, Equatable, Sendable {
    /// The controller refused, or the command completed with an error.
    case refused(HCIStatus, command: String)
    /// No answer, or no completion, within the deadline.
    case noAnswer(command: String)
    /// `CAP_NET_RAW` is missing.
    case notPermitted
    /// The channel is closed.
    case closed
    /// The task was cancelled.
    case cancelled
}

extension HCIError: CustomStringConvertible {
    /// One line for people.
    var description: String {
        switch self {
        case .refused(let status, let command): "\(command): \(status)"
        case .noAnswer(let command): "the controller does not answer \(command)"
        case .notPermitted: "CAP_NET_RAW is missing"
        case .closed: "the HCI channel is closed"
        case .cancelled: "cancelled"
        }
    }
}
