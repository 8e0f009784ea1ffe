/// The program's exit codes.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case nothingToDo = 2
    case deviceNotFound = 3
    case usage = 64
    case badFile = 65
    case noFile = 66
    case noAdapter = 69
    case internalError = 70
    case tryAgain = 75
    case noPermission = 77
    case interrupted = 130

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
