/// The program's exit codes.
public enum ExitStatus: Int32, Sendable {
    /// Done, and verified where that can be verified.
    case done = 0
    /// An update failed, or a file did not pass.
    case failed = 1
    /// Nothing to do.
    case nothingToDo = 2
    /// No such device.
    case deviceNotFound = 3
    /// The command line is wrong.
    case usage = 64
    /// The file is not what it should be.
    case badFile = 65
    /// The file cannot be opened.
    case noFile = 66
    /// No usable adapter.
    case noAdapter = 69
    /// A bug.
    case internalError = 70
    /// Interrupted; the same command may be run again.
    case tryAgain = 75
    /// A permission is missing.
    case noPermission = 77
    /// Ended by the user.
    case interrupted = 130
}
