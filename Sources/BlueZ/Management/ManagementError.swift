/// Why the kernel did not carry out a management command.
enum ManagementError: Error, Equatable, Sendable {
    /// The kernel refused.
    case refused(ManagementStatus, command: String)
    /// Another controller had got the index, and carried it out.
    case strayed(command: String)
    /// No answer within the deadline.
    case noAnswer(command: String)
    /// The answer is shorter than it must be.
    case malformed(command: String)
    /// The channel is closed.
    case closed
    /// The task was cancelled.
    case cancelled
}

extension ManagementError: CustomStringConvertible {
    /// One line for people.
    var description: String {
        switch self {
        case .refused(let status, let command): "the kernel answers '\(status)' to \(command)"
        case .strayed(let command): "\(command) reached another controller"
        case .noAnswer(let command): "the kernel does not answer \(command)"
        case .malformed(let command): "the kernel's answer to \(command) cannot be read"
        case .closed: "the management channel is closed"
        case .cancelled: "cancelled"
        }
    }
}
