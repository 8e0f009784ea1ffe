/// An error as PostgreSQL reports it, by its fields (PostgreSQL, 55.8).
public struct ServerMessage: Hashable, Sendable {
    /// `ERROR`, `FATAL` or `PANIC`.
    public var severity: String
    /// Five letters and digits (PostgreSQL, Appendix A).
    public var sqlstate: String
    /// What happened, in the server's language.
    public var message: String
    /// More detail; nil if there is none.
    public var detail: String?
    /// The server's hint; nil if there is none.
    public var hint: String?
    /// The constraint concerned; our functions set a code of their own here.
    public var constraint: String?

    /// Creates a message with these values.
    public init(
        severity: String, sqlstate: String, message: String, detail: String? = nil, hint: String? = nil,
        constraint: String? = nil
    ) {
        self.severity = severity
        self.sqlstate = sqlstate
        self.message = message
        self.detail = detail
        self.hint = hint
        self.constraint = constraint
    }
}

extension ServerMessage: CustomStringConvertible {
    /// Everything but the hint in one line.
    public var description: String {
        let more = detail.map { "; \($0)" } ?? ""
        return "\(message)\(more) (\(sqlstate))".split(separator: "\n").joined(separator: " ")
    }
}
