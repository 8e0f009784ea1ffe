/// How a Feasycom beacon words what it answers to commands (fbeacon.md, Commands, Settings).
public struct FBeaconAnswers: Hashable, Sendable {
    /// What stands between a value and the next one, or its `OK`.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// The end of a line.
        case lines
        /// An empty line, too, as the maker's library expects.
        case spaced
    }

    /// What comes of `AT+RESTORE` (fbeacon.md, Restoring).
    public enum Restore: String, CaseIterable, Hashable, Sendable {
        /// `OK`, and then a restart.
        case answered
        /// A restart at once.
        case silent
        /// `ERROR`, and nothing else.
        case refused
    }

    /// What stands between a value and the next one, or its `OK`.
    public var form = Form.lines
    /// What comes of `AT+RESTORE`.
    public var restore = Restore.answered
    /// Whether the answer to `AT+NAME` is `+LENAME=`.
    public var saysLENAME = false

    /// In lines, by the name that was asked for.
    public init() {}

    static let done = "OK\r\n"
    static let error = "ERROR\r\n"

    /// What `name` is, a line for each of its values.
    func values(_ values: [String], of name: String) -> String {
        let title = name == "NAME" && saysLENAME ? "LENAME" : name
        let space = form == .spaced ? "\r\n" : ""
        return values.map { "+\(title)=\($0)\r\n\(space)" }.joined() + Self.done
    }
}
