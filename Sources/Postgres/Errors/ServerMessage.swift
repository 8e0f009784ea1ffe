/// An error as PostgreSQL reports it, by its fields (PostgreSQL, 55.8).
public struct ServerMessage: Hashable, Sendable {
    /// `ERROR`, `FATAL` or `PANIC`.
    public var severity: String
    /// Five letters and digits (PostgreSQL, Appendix A).
    public var sqlstate: String
    /// What happened, in the server's language.
    public var message: String
    /// More of it; nil where there is none.
    public var detail: String?
    /// What to do about it; nil where there is none.
    public var hint: String?
    /// The constraint that it is about; functions say a code of their own with it.
    public var constraint: String?

    /// A message as described.
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
