/// How a Feasycom beacon words what it answers to commands (fbeacon.md, Commands, Settings).
public struct FBeaconAnswers: Hashable, Sendable {
    /// What stands between a value and its `OK`.
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

    /// What stands between a value and its `OK`.
    public var form = Form.lines
    /// What comes of `AT+RESTORE`.
    public var restore = Restore.answered
    /// Whether the answer to `AT+NAME` is `+LENAME=`.
    public var saysLENAME = false

    /// In lines, by the name that was asked for.
    public init() {}

    static let done = "OK\r\n"
    static let error = "ERROR\r\n"

    /// What `name` is.
    func value(_ value: String, of name: String) -> String {
        let title = name == "NAME" && saysLENAME ? "LENAME" : name
        return "+\(title)=\(value)\r\n" + (form == .spaced ? "\r\n" : "") + Self.done
    }
}
