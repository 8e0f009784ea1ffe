/// The program's exit codes.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done, and verified where possible.
    case done = 0
    /// An update failed, or a file did not pass.
    case failed = 1
    /// Nothing to do.
    case nothingToDo = 2
    /// No such beacon was heard.
    case deviceNotFound = 3
    /// The command line is wrong.
    case usage = 64
    /// The file is not valid.
    case badFile = 65
    /// The file cannot be opened.
    case noFile = 66
    /// No usable adapter.
    case noAdapter = 69
    /// A bug in this program.
    case internalError = 70
    /// A temporary failure; the same command may be run again.
    case tryAgain = 75
    /// A permission is missing.
    case noPermission = 77
    /// Ended by the user.
    case interrupted = 130
}

extension ExitStatus {
    /// What it means, in a few words.
    public var meaning: String {
        switch self {
        case .done: "done, and verified where possible"
        case .failed: "an update failed, a file did not pass, or the request cannot be carried out"
        case .nothingToDo: "nothing to do: the version is installed already, or nothing was selected"
        case .deviceNotFound: "no such beacon was heard"
        case .usage: "the command line is wrong"
        case .badFile: "the file is not valid"
        case .noFile: "a file cannot be opened or written"
        case .noAdapter: "there is no usable adapter"
        case .internalError: "an internal error, always a bug"
        case .tryAgain:
            "the link was lost for good, a time limit passed, or something is in use; run the same command again"
        case .noPermission: "a permission is missing; the message names it"
        case .interrupted: "ended by the user"
        }
    }
}
