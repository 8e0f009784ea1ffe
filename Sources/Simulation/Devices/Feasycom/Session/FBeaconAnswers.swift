/// The format of a Feasycom beacon's responses to commands (fbeacon.md, Commands, Settings).
public struct FBeaconAnswers: Hashable, Sendable {
    /// The separator between values, and before the final `OK`.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// A line end.
        case lines
        /// A line end and an empty line, as the vendor's library expects.
        case spaced
    }

    /// The response to `AT+RESTORE` (fbeacon.md, Restoring).
    public enum Restore: String, CaseIterable, Hashable, Sendable {
        /// `OK`, and then a restart.
        case answered
        /// A restart without a response.
        case silent
        /// `ERROR`, and nothing else.
        case refused
    }

    /// The separator between values, and before the final `OK`.
    public var form = Form.lines
    /// The response to `AT+RESTORE`.
    public var restore = Restore.answered
    /// Whether the response to `AT+NAME` is `+LENAME=`.
    public var saysLENAME = false

    /// Line ends, and the requested name.
    public init() {}

    static let done = "OK\r\n"
    static let error = "ERROR\r\n"

    /// The values of `name`, one a line, with the final `OK`.
    func values(_ values: [String], of name: String) -> String {
        let title = name == "NAME" && saysLENAME ? "LENAME" : name
        let space = form == .spaced ? "\r\n" : ""
        return values.map { "+\(title)=\($0)\r\n\(space)" }.joined() + Self.done
    }
}
